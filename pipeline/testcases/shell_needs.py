"""What scripts in Bash need that no sandbox has, and the names in them that stand for any other.
Pure."""

import re

from pipeline.testcases.shell_texts import read_shell

_COMMAND = (
    r"(?:^|[;&|(`{!]|\b(?:then|do|else|if|while|until|xargs|exec|env|time|nohup)\s)[^\S\n]{0,40}"
)
_ELSEWHERE = re.compile(
    _COMMAND
    + r"(?:sudo\s{1,9})?(?:sudo|curl|wget|ssh|scp|sftp|ftp|rsync|docker|podman|kubectl|helm"
    r"|systemctl|service"
    r"|journalctl|git|gh|svn|apt|apt-get|yum|dnf|brew|pip3?|npm|npx|yarn|node|cargo|go|make|gcc|ps|top|htop"
    r"|free|df|uptime|who|w|last|users|id|whoami|groups|hostname|hostnamectl|uname|nproc|lscpu|lsblk|lsof"
    r"|iostat|vmstat|mpstat|dmesg|kill|pkill|pgrep|killall|pidof|mail|mailx|sendmail|crontab|at|ping|nc|ncat"
    r"|netstat|ss|ip|ifconfig|nslookup|dig|host|whois|traceroute|nmap|iptables|ufw|mount|umount|mkfs|fdisk"
    r"|useradd|usermod|userdel|groupadd|passwd|chown|chgrp|su|tput|dialog|whiptail|zenity|select|watch|screen"
    r"|tmux|notify-send|open|xdg-open|inotifywait|fswatch|ffmpeg|convert|identify|mogrify|magick|mysql"
    r"|mysqldump|psql|pg_dump|mongo|mongodump|redis-cli|sqlite3|aws|gcloud|az|terraform|ansible|vim?|nano|less"
    r"|more|man|reboot|shutdown|hwclock|acpi|sensors|ulimit|chsh|gpg|openssl|getent|finger|column)\b(?!\(\)|=)",
    re.MULTILINE,
)
_PLACES = re.compile(
    r"/dev/(?:tcp|udp|tty|sd\w|null/)|/proc/|/etc/|/var/|/sys/|/opt/|/home/|/root/|/mnt/|/srv/|/usr/"
    r"|\bread\s[^\n;|]{0,30}-\w{0,4}[st]\b|\$USER\b|\$\{USER\}|\$PPID|\bjobs\b|\bfind\s{1,9}/\s"
)
_CHANCE = re.compile(
    r"\bS?RANDOM\b|\bEPOCH(?:REALTIME|SECONDS)\b|\$\{?SECONDS\b|\bshuf\b|/dev/u?random|\buuidgen\b"
    r"|\bsort\s[^\n|;]{0,20}-\w{0,5}R|%\([^)\n]{0,20}\)T|\bsrand\(|\brand\(\)|date\s[^\n)]{0,12}%N|\btime\s"
)
_OTHER_SHELL = re.compile(r"^#![^\n]{0,60}\b(?:python|perl|node|ruby|zsh|fish|awk|expect)")
# Names that stand for whatever the reader has.
_PATH = re.compile(
    r"(?:~|\$HOME|\$\{HOME\})?/?(?:[\w-]{1,20}/)?path/to/(?:your/|the/|my/)?([\w-]{1,30})(\.\w{1,5})?(?=[/\s\"'*);]|$)"
)
_ANY_FILE = re.compile(
    r"(?<![\w/.*$}~{-])(?:(?:your|my|the|some|example|sample|test)[_-]?)?(?:file(?:name)?|input(?:[_-]?file)?|data"
    r"|log(?:file)?|text|numbers|names|words|list|example|sample|test|access|app|server|system|users?|filename|yourfile)"
    r"\d?\.(txt|csv|tsv|log|json|xml|html|md|ya?ml|dat|conf|ini|env)\b(?![\w/.])"
)
_MOST_READ = 20_000  # characters


def is_elsewhere(script: str) -> bool:
    """Whether it works on what no sandbox has, or does what chance or the clock decides."""
    if _OTHER_SHELL.match(script):
        return True
    code = read_shell(script).code
    script = script[:_MOST_READ]
    return bool(
        _ELSEWHERE.search(code)
        or _PLACES.search(script.replace("#!/usr/", ""))
        or _CHANCE.search(script)
    )


def with_usual_names(script: str, request: str) -> str:
    """With one name in place of those that stand for any file or folder, which no request gives:
    `/path/to/dir`, `file.txt`."""
    said = request[:_MOST_READ].lower()

    def path(found: re.Match[str]) -> str:
        if found[0].lower() in said:
            return found[0]
        return f"input{found[2]}" if found[2] else "folder"

    def file(found: re.Match[str]) -> str:
        before = found.string[max(0, found.start() - 3) : found.start()]
        is_named = found[0].lower() in said or ">" in before or f"> {found[0]}" in script
        return found[0] if is_named else f"input.{found[1]}"

    script = script[:_MOST_READ]
    return _ANY_FILE.sub(file, _PATH.sub(path, script))
