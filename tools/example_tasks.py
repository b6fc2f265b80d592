"""Requests with a draft, and a review where the draft leaves something to be wished."""

from typing import NamedTuple


class Task(NamedTuple):
    prompt: str
    draft: str
    praise: str
    blame: str = ""
    review: str = ""


TASKS = [
    Task(
        "Write a function that merges overlapping intervals, given as (start, end) tuples",
        """def merge_intervals(intervals):
    intervals.sort()
    merged = [intervals[0]]
    for start, end in intervals[1:]:
        last_start, last_end = merged[-1]
        if start < last_end:
            merged[-1] = (last_start, max(last_end, end))
        else:
            merged.append((start, end))
    return merged
""",
        "Sorts once and merges in one pass.",
        "Fails on an empty list, changes its argument, and intervals that touch stay apart.",
        '''def merge_intervals(intervals):
    """Merge intervals that overlap or touch; the argument stays as it is."""
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            last_start, last_end = merged[-1]
            merged[-1] = (last_start, max(last_end, end))
        else:
            merged.append((start, end))
    return merged
''',
    ),
    Task(
        "LRU cache decorator with a time to live, thread-safe, no dependencies",
        """import threading
import time
from collections import OrderedDict
from functools import wraps


def ttl_cache(maxsize=128, ttl=60):
    def decorate(function):
        cache = OrderedDict()
        lock = threading.Lock()

        @wraps(function)
        def wrapper(*args, **kwargs):
            key = (args, tuple(kwargs.items()))
            with lock:
                if key in cache:
                    value, expires = cache[key]
                    if time.time() < expires:
                        return value
            value = function(*args, **kwargs)
            with lock:
                cache[key] = (value, time.time() + ttl)
                if len(cache) > maxsize:
                    cache.popitem(last=False)
            return value

        return wrapper

    return decorate
""",
        "Expiry, eviction and locking are all there.",
        "A hit does not move the entry to the end, so it evicts the oldest and not the least used; "
        "the order of keyword arguments makes different keys; wall-clock time can jump.",
        '''import threading
import time
from collections import OrderedDict
from functools import wraps


def ttl_cache(maxsize=128, ttl=60):
    """Keep up to `maxsize` results for `ttl` seconds; the least recently used go first."""

    def decorate(function):
        cache = OrderedDict()
        lock = threading.Lock()

        @wraps(function)
        def wrapper(*args, **kwargs):
            key = (args, tuple(sorted(kwargs.items())))
            with lock:
                if key in cache:
                    value, expires = cache[key]
                    if time.monotonic() < expires:
                        cache.move_to_end(key)
                        return value
                    del cache[key]
            value = function(*args, **kwargs)
            with lock:
                cache[key] = (value, time.monotonic() + ttl)
                cache.move_to_end(key)
                while len(cache) > maxsize:
                    cache.popitem(last=False)
            return value

        return wrapper

    return decorate
''',
    ),
    Task(
        "sql: customers who bought in every month of 2025, with their total",
        """WITH months AS (
    SELECT customer_id,
           COUNT(DISTINCT DATE_TRUNC('month', ordered_at)) AS active_months,
           SUM(total) AS total
    FROM orders
    WHERE ordered_at >= DATE '2025-01-01'
      AND ordered_at < DATE '2026-01-01'
    GROUP BY customer_id
)
SELECT c.id, c.name, m.total
FROM months m
JOIN customers c ON c.id = m.customer_id
WHERE m.active_months = 12
ORDER BY m.total DESC;
""",
        "Half-open date range, distinct months, one pass over orders.",
    ),
    Task(
        "parse an ISO 8601 duration like P3DT4H12M into a timedelta",
        """import re
from datetime import timedelta

PATTERN = re.compile(
    r"P(?:(?P<days>\\d+)D)?(?:T(?:(?P<hours>\\d+)H)?(?:(?P<minutes>\\d+)M)?(?:(?P<seconds>\\d+)S)?)?"
)


def parse_duration(text):
    match = PATTERN.match(text)
    parts = {name: int(value) for name, value in match.groupdict().items() if value}
    return timedelta(**parts)
""",
        "Covers days to seconds and fails loudly on anything else.",
        "A text that does not match raises AttributeError, trailing garbage is accepted, "
        "and fractions of seconds are not read.",
        '''import re
from datetime import timedelta

PATTERN = re.compile(
    r"P(?:(?P<weeks>\\d+)W)?(?:(?P<days>\\d+)D)?"
    r"(?:T(?:(?P<hours>\\d+)H)?(?:(?P<minutes>\\d+)M)?(?:(?P<seconds>\\d+(?:\\.\\d+)?)S)?)?"
)


def parse_duration(text):
    """Read an ISO 8601 duration without years and months. Raises ValueError."""
    match = PATTERN.fullmatch(text)
    groups = match.groupdict() if match else {}
    parts = {name: float(value) for name, value in groups.items() if value}
    if not parts:
        raise ValueError(f"not a duration: {text!r}")
    return timedelta(**parts)
''',
    ),
    Task(
        "typescript: debounce with a cancel method, keep the types of the wrapped function",
        """type Debounced<F extends (...args: never[]) => void> = {
  (...args: Parameters<F>): void;
  cancel(): void;
};

type Callback = (...args: never[]) => void;

export function debounce<F extends Callback>(fn: F, waitMs: number): Debounced<F> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const debounced = (...args: Parameters<F>): void => {
    clearTimeout(timer);
    timer = setTimeout(() => fn(...args), waitMs);
  };
  debounced.cancel = (): void => clearTimeout(timer);
  return debounced;
}
""",
        "Types carry over, cancel clears the pending call.",
    ),
    Task(
        "bash script: rotate the files in a backup directory, keep 7 daily and 4 weekly ones",
        """#!/usr/bin/env bash
cd $1
ls -t daily-* | tail -n +8 | xargs rm
ls -t weekly-* | tail -n +5 | xargs rm
""",
        "Short and does what was asked.",
        "Unquoted variable; without the directory it deletes in the current one; breaks on blanks "
        "in names and when there is nothing to delete.",
        """#!/usr/bin/env bash
set -euo pipefail

directory=${1:?usage: rotate DIRECTORY}
cd -- "$directory"

keep() {
  local pattern=$1 count=$2
  find . -maxdepth 1 -type f -name "$pattern" -printf '%T@ %p\\0' |
    sort -zrn | tail -zn +"$((count + 1))" | cut -zd' ' -f2- | xargs -0r rm --
}

keep 'daily-*' 7
keep 'weekly-*' 4
""",
    ),
    Task(
        "go http middleware that limits each client to 10 requests per second",
        """package limit

import (
	"net"
	"net/http"
	"sync"

	"golang.org/x/time/rate"
)

func PerClient(next http.Handler) http.Handler {
	var mu sync.Mutex
	limiters := map[string]*rate.Limiter{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			host = r.RemoteAddr
		}
		mu.Lock()
		limiter, ok := limiters[host]
		if !ok {
			limiter = rate.NewLimiter(10, 10)
			limiters[host] = limiter
		}
		mu.Unlock()
		if !limiter.Allow() {
			http.Error(w, "too many requests", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}
""",
        "Locks around the map, token bucket for each host.",
        "The map grows without bound: every address that ever came stays in it.",
    ),
    Task(
        "faster, please: df.groupby('user').apply(lambda g: g.nlargest(3, 'score'))",
        """def top_three(df):
    ordered = df.sort_values(["user", "score"], ascending=[True, False])
    return ordered.groupby("user", sort=False).head(3)
""",
        "One sort and a vectorised head instead of a Python call for each group.",
    ),
    Task(
        "retry with exponential backoff and jitter for an async function",
        """import asyncio
import random


async def retry(function, attempts=5, base=0.5, cap=30.0, retry_on=(OSError,)):
    for attempt in range(attempts):
        try:
            return await function()
        except retry_on:
            if attempt == attempts - 1:
                raise
            await asyncio.sleep(random.uniform(0, min(cap, base * 2**attempt)))
""",
        "Full jitter, capped, and only the named errors are retried.",
    ),
    Task(
        "binary search that returns the leftmost position",
        """def leftmost(items, target):
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < target:
            low = middle + 1
        else:
            high = middle
    return low
""",
        "The invariant holds and the empty list gives 0.",
    ),
    Task(
        "css grid: cards at least 18rem wide that fill the row, equal heights",
        """.cards {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr));
  gap: 1.5rem;
}

.cards > * {
  height: 100%;
}
""",
        "Fills the row at every width and does not overflow below 18rem.",
    ),
    Task(
        "rust: read a file line by line and count words, most frequent first",
        """use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};

pub fn word_counts(path: &str) -> io::Result<Vec<(String, usize)>> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for line in BufReader::new(File::open(path)?).lines() {
        for word in line?.split_whitespace() {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    let mut sorted: Vec<_> = counts.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(sorted)
}
""",
        "Buffered, errors are passed on, ties are broken by name.",
    ),
    Task(
        "validate an IBAN",
        """def is_valid_iban(iban):
    iban = iban.replace(" ", "").upper()
    rearranged = iban[4:] + iban[:4]
    digits = "".join(str(int(character, 36)) for character in rearranged)
    return int(digits) % 97 == 1
""",
        "The mod-97 check is right.",
        "Anything that is no letter or digit raises ValueError, and the length is not checked.",
        '''import re


def is_valid_iban(iban):
    """Whether the check digits of an IBAN are right; blanks do not matter."""
    iban = re.sub(r"\\s", "", iban).upper()
    if not re.fullmatch(r"[A-Z]{2}\\d{2}[A-Z0-9]{11,30}", iban):
        return False
    rearranged = iban[4:] + iban[:4]
    digits = "".join(str(int(character, 36)) for character in rearranged)
    return int(digits) % 97 == 1
''',
    ),
    Task(
        "dockerfile for a fastapi app with uv, small image, non-root user",
        """FROM python:3.12-slim
COPY --from=ghcr.io/astral-sh/uv:latest /uv /bin/uv
WORKDIR /app
COPY pyproject.toml uv.lock ./
RUN uv sync --frozen --no-dev
COPY . .
RUN useradd --system app
USER app
CMD ["uv", "run", "--no-sync", "uvicorn", "app.main:app", "--host", "0.0.0.0"]
""",
        "Dependencies are cached before the source is copied.",
    ),
]
