"""The words and grammars of `outliers`: `[a|b]` and `{slot}` as in `words`; `{i}` is an identifier,
`{p}` a word that does not exist, `{x}` a word of any kind, `{v}` what one can do, `{n}` a number.
"""

# ruff: noqa: E501, SIM905  (word lists are easier to read in a block)

WORDS = tuple(
    """
    account acid actor admin advert aeroplane agenda alarm album alert ancient anchor angle animal answer
    apartment apple archive arrow artist assembly atlas attic auction audience autumn backup badge balance
    balcony ballot bamboo banana band bandwidth barrel basin basket battery beach bean beard bedroom beetle
    bicycle biscuit blanket blog boat boiler bonus border bottle boundary bracket branch bread breakfast bridge
    broadcast brush bubble bucket budget bug bulb bundle burden bus butter cabin cable cactus cake camel
    campaign canal candle canvas captain caravan carbon cargo carpet carrot cashier castle catalogue cathedral
    cave ceiling cellar century chain chalk champion channel chapter charity cheese cherry chimney choir cinema
    circus citizen clay clerk client climate clinic clock cloud club coach coal coast cocoa coffee collar
    colleague colony comet command committee compass complaint concert consent contract copper coral corridor
    cottage cotton coupon courier cousin crane credit crew cricket crowd crown cruise crystal cupboard curtain
    cushion customs daemon dairy dancer dashboard deadline debt deck degree dentist deploy desert dessert
    diagram diary diesel dinner diploma doctor dolphin donkey donor draft dragon drawer dress drone drum duck
    dungeon dust eagle earthquake echo eclipse editor election electron embassy emperor endpoint engine envelope
    escape estate evening exam exhaust exhibition fabric factory falcon family farm feather feedback fence ferry
    festival fever fiction firewall fish flag flame flavour fleet flight flood flour flute folder football
    forest fork formula fossil fountain fox frame freight fridge frog frontier fruit fuel furniture galaxy
    gallery garage garden garlic gas gate gateway gear ghost giant gift glacier glass glove goat gold gossip
    governor grain grammar grandmother grape gravel guard guest guide guitar hammer harbour harvest hat hawk
    hearing heater hedge helmet herb hero highway hill hobby holiday honey hook horizon horse hospital hostel
    hour housekeeping hunter iceberg idea igloo index industry infant ink insect insurance invoice iron island
    ivory jacket jam jar jazz jelly jewel journal journey judge juice jungle jury kernel kettle keyboard kidney
    kitchen kite knee knife knight label ladder lake lamp landlord language lantern laser laundry lawn lawyer
    leaf league leather lecture leg lemon lens lesson letter library licence lighthouse lime limit lion liquid
    liver lobby lobster locker lodge logo loop lottery lounge luggage lunch lung machine magnet maid mail
    manager mansion map marble market marriage mask mattress mayor meadow meal medal medicine melody member
    memory merchant mercury message meteor midnight milk mineral minister mirror missile mission mist mixture
    mode monastery money monitor monkey morning mortar mosque motel moth motor mountain mouse mud museum
    mushroom music mustard mystery nail navy needle neighbour nephew nerve nest network newspaper node noise
    noodle nose notebook novel nurse nut oak oasis oat ocean offer office oil olive onion opera orange orbit
    orchestra order organ orphan outlet oven owl owner oxygen oyster packet paint palace palm panel panic paper
    parade parcel parent parliament partner passenger passport pasta pasture patent path patient pattern peach
    peanut pear pearl pedal pen pencil pension pepper perfume permit pharmacy phase photo piano picnic pig
    pigeon pill pillow pilot pine pipe pipeline pirate pistol pizza plane planet plant plate platform plaza plum
    pocket pod poet poison pole police pond pony pool port potato powder prayer present president press priest
    prince prison prize proof protein province proxy pudding pump pupil puppet puzzle quarrel quarter queen
    quota rabbit radar radio raft rail rain ranch razor receipt recipe refugee region relay religion rent
    replica report rescue resort restaurant retail review rhythm ribbon rice rifle ring ritual river road roast
    rocket roof root rope rose route router rug ruler runner saddle sail salad salary salmon salt sand satellite
    sauce sausage scale scandal scarf schedule scholar school schema scout script sculpture seal season seat
    secret secretary seed senate server session shadow shark shed sheep shelf shell shepherd shield ship shirt
    shoe shop shore shovel shower shrimp sign silk silver singer sink sister skeleton sketch ski skirt sky
    sleeve slope smoke snail snake snow soap soccer socket sock sofa soil soldier soup spade sparrow spice
    spider spoon spring sprint squad squirrel stadium staff stage stair stamp statue steam steel stem stove
    strand straw street studio subway sugar suit summer supper surgeon swamp swan sweater sword syrup system
    tablet tail tailor tank tap tape taxi tea teacher team telescope temple tenant tennis tent terrace theatre
    throne thunder ticket tide tiger tile timber toast tobacco toe token toilet tomato tongue tool tooth torch
    tour towel tower town toy track tractor trail train tray treasure trial tribe trophy trouble truck trumpet
    tube tunnel turkey turtle tutor twin umbrella uncle uniform union university uncle vaccine valley van vase
    vault vegetable vehicle veil vein velvet vendor venue verse vessel veteran victim village vine vinegar
    violin virus visa visitor vitamin volcano volunteer vote voyage wagon waiter wallet walnut war wardrobe
    warehouse wasp watch waterfall wave wax weapon wedding weed whale wheat wheel whisky widow wife willow
    window wine wing winter witch witness wolf wood wool workshop worm wound wrist yacht yard yogurt youth zebra
    zone zoo
    """.split()
)
PLAIN = tuple(
    """
    about above across actually after again against almost already always and any anything as at away back badly
    because before behind below beside best better between big both but by can cheap clearly close cold could
    dark deep did different does down during each early easily either empty enough even every far fast few final
    for from full further good great had half happy hard has have heavy her here high his hot how however if in
    inside into is it its just large last late later least less like little long loud low many may me mine more
    most much must my near never new next nice no nobody none nor not nothing now of off often old on once one
    only or other our out outside over own perhaps please poor quick quiet quite rarely rather really right
    round sad same should since slow small so some somebody soon still strong such than that the their them then
    there these they this those though through to today together too true under until up upon us very was we
    weak well were what when where whether which while white who whole why will with within without would wrong
    yesterday yet you young your
    """.split()
)
DOING = tuple(
    """
    accept adopt advise afford agree aim allow announce appear apply approve argue arrange arrive attach attack
    attend avoid bake balance ban bark beg behave believe belong bless boil borrow bounce bow brake breathe
    brush burn bury buy calm cancel carry cause chase cheat check chew choose clap clean climb collect comb
    complain confess connect consider contain cook cough cover crack crash crawl cross cry cure damage dance
    dare decay deceive decorate delay deliver deny depend deserve destroy detect develop disagree disappear
    discover drag dream drown dry earn embarrass employ enjoy enter escape examine excite excuse exercise exist
    expand expire explode extend fade fail fancy fear ferment fetch fill fire fit flash float flood flow fold
    follow fool forgive freeze frighten fry gather glow glue grab grate greet grin grip guard guess hammer harm
    hate haunt heal heat help hire hope hover hug hunt hurry ignore imagine impress improve inform inject injure
    instruct intend interrupt invent invite irritate itch jail jog joke jump kick kill kiss kneel knit knock
    knot land last laugh launch learn level lick like live load lock long love manage marry matter measure melt
    mine miss moan mourn move muddle mug murder nest nod notice obey object offer open overflow owe paddle park
    part peck pedal peel peep perform phone pick pinch plant play please plug poke polish pop possess pour
    practise pray preach prefer prepare press pretend prevent prick promise protect provide pull pump
    punch punish push question queue race radiate raise reach realise receive recognise record reduce reflect
    refuse regret reign reject rejoice relax release rely remain remember remind repair rescue retire rhyme
    rinse risk rob rock roll rot rub ruin rule rush sail satisfy save saw scare scatter scold scorch scrape
    scratch scream screw scribble scrub settle shave shelter shiver shock shop shrug sigh sin sip skip slap slip
    slow smash smell smile smoke snatch sneeze sniff snore snow soak soothe spare spark sparkle spill spoil spot
    spray sprout squash squeak squeal squeeze stain stare start stay steer stir stitch strap stretch stroke
    stuff suffer suggest suit supply suppose surprise surround suspect suspend swear talk tame tap taste tease
    tempt terrify thank thaw tick tickle tie tour tow trade train trap travel treat tremble trick trip trot
    trouble trust tug tumble twist type undress unite unlock unpack use vanish visit wail wait walk wander want
    warm warn wash waste water wave weigh welcome whine whirl whisper whistle wink wipe wish wobble wonder work
    worry wrap wreck wrestle wriggle yawn yell
    """.split()
)

LIBRARY = "[os|sys|re|cv2|pandas|numpy|requests|flask|django|torch|yaml|bs4|PIL|redis|boto3|lxml|attr|click|rich|jwt|httpx|uvicorn|aiohttp|sklearn|nltk|spacy|tqdm|pytest|psycopg2|matplotlib|scipy|toml|zmq|gi|dotenv|{i}|{p}]"
NUMBER = "[0|1|2|3|4|5|7|8|9|10|12|15|16|20|24|30|32|42|50|60|64|72|80|90|99|100|128|200|250|256|300|404|500|512|1000|1024|3000|5000|8080|10000|65535]"
FILE = "[main|app|index|server|utils|test|setup|models|views|train|config|settings|{i}|{x}|{p}].[py|js|ts|jsx|java|c|cpp|rs|go|rb|php|sh|yml|json|csv|txt|log|html|css|sql]"

# Lines of code and of configuration, in many languages; two spaces at the start stay.
LINES: tuple[tuple[str, ...], ...] = (
    (
        "import {lib}", "from {lib} import {i}", "{i} = {lib}.{i}({n})", "{i} = [{n}, {n}, {n}]", "{i} = []", "{i} = {}",
        "for {i} in {i}:", "  {i}.append({i})", "  print({i})", "print({i}.{i})", "if {i} == {n}:", "  return {i}",
        "while {i} < {n}:", "  {i} += {n}", "def {i}({i}, {i}=[]):", "def {i}(self, {i}):", "class {I}({I}):", "  pass",
        "try:", "except {I}Error as {i}:", "with open('{file}') as {i}:", "  {i} = {i}.read()", "async def {i}():",
        "  await {i}({i})", "{i} = lambda {i}: {i} + {n}", "global {i}", "{i}()", "@{i}.route('/{x}')", "raise {I}Error('{x}')",
        "{i} = {i}['{x}']", "{i}.sort(key={i})", "assert {i}({n}) == {n}", "{i} = {lib}.read_csv('{file}')", "  yield {i}",
        "{i} = input('{x}: ')", "{i}, {i} = {i}", "del {i}[{n}]", "{i} = {n} / {n}", "print({n}.{n} + {n}.{n})", "{i} is {i}",
    ),
    (
        "const {i} = require('{x}');", "import {I} from '{x}';", "let {i} = {n};", "var {i} = [{n}, {n}];", "{i}.map({i} => {i}.{i});",
        "function {i}({i}) {", "  return {i};", "}", "document.getElementById('{x}').{i} = {i};", "console.log({i});",
        "{i}.addEventListener('click', () => {i}());", "const [{i}, set{I}] = useState({n});", "useEffect(() => { {i}() }, [{i}]);",
        "await fetch('/{x}/{x}');", "if ({i} === undefined) {", "export default {I};", "setTimeout({i}, {n});", "{i}.then({i});",
        "<{I} {i}={{i}} />", "return <div>{{i}}</div>;", "app.get('/{x}', (req, res) => res.send({i}));", "interface {I} { {i}: string }",
    ),
    (
        "SELECT {i}, COUNT(*) FROM {i}", "SELECT * FROM {i} WHERE {i} = {n}", "JOIN {i} ON {i}.{i} = {i}.{i}", "GROUP BY {i}",
        "ORDER BY {i} DESC LIMIT {n};", "UPDATE {i} SET {i} = '{x}'", "DELETE FROM {i}", "INSERT INTO {i} VALUES ({n}, '{x}');",
        "CREATE TABLE {i} ({i} INT, {i} TEXT);", "HAVING {i} > {n}", "WHERE {i} IN ({n}, {n})", "AND {i} IS NULL",
    ),
    (
        "#include <stdio.h>", "int main() {", "  int *{i} = malloc({n});", "  free({i});", "  char {i}[{n}];", "  printf(\"%d\", {i});",
        "  for (int i = 0; i < {n}; i++)", "  return 0;", "}", "std::vector<int> {i};", "struct {I} { int {i}; };", "  scanf(\"%s\", {i});",
        "  {i}->{i} = NULL;", "template <typename T>", "  std::cout << {i};", "#define {I} {n}", "  delete {i};", "  {i}[{n}] = {i};",
    ),
    (
        "public class {I} {", "  public static void main(String[] args) {", "  private int {i};", "  System.out.println({i});", "}",
        "  List<String> {i} = new ArrayList<>();", "  @Autowired", "  {I} {i} = new {I}();", "  throw new {I}Exception();", "  @Override",
        "fn main() {", "  let mut {i} = vec![{n}, {n}];", "  println!(\"{x}\");", "func {i}({i} int) error {", "  go {i}()", "  defer {i}.Close()",
        "  fmt.Println({i})", "use std::{i};", "impl {I} for {I} {", "  {i}.unwrap();", "package {i}", "val {i} = {n}", "puts {i}", "<?php echo ${i}; ?>",
    ),
    (
        "version: '{n}'", "services:", "  {x}:", "  image: {x}:{n}", "  ports:", "  - \"{n}:{n}\"", "FROM {x}:{n}", "RUN apt-get install {x}",
        "COPY . /{x}", "CMD [\"{x}\"]", "server {", "  listen {n};", "  location /{x} {", "}", "[{x}]", "{x} = {n}", "{i}: {x}", "- {x}", "key: {p}",
        "<div class=\"{x}\">", "<p>{x}</p>", "</div>", ".{x} { {x}: {n}px; }", "#{x} { display: flex; }", "<a href=\"/{x}\">{x}</a>", "{ \"{i}\": {n} }",
    ),
    (
        "#!/bin/bash", "for {i} in *.{x}; do", "  echo ${i}", "done", "if [ -z ${i} ]; then", "fi", "{i}=$({x} -{l} | {x})", "cd /{x}/{x}",
        "sudo {x} {x} --{x}", "export {I}={n}", "git {x} --{x} origin/{x}", "docker run -p {n}:{n} {x}", "pip install {lib}", "npm run {x}",
        "curl -{l} http://localhost:{n}/{x}", "chmod {n} {file}", "ssh {i}@{x} -p {n}", "tar -x{l}f {file}", "awk '{print ${n}}' {file}",
    ),
)  # fmt: skip

ERRORS = (
    "Traceback (most recent call last):\n  File \"{file}\", line {n}, in {i}\n    {code}\n{error}: {message}",
    "Traceback (most recent call last):\n  File \"/home/{i}/{file}\", line {n}, in <module>\n    {code}\n  File \"{file}\", line {n}, in {i}\n    {code}\n{error}: {message}",
    "{error}: {message}", "{error}: {message}", "{lib}.{i}.{error}: {message}", "File \"{file}\", line {n}\n    {code}\n    ^\nSyntaxError: invalid syntax",
    "Uncaught {error}: {message} at {file}:{n}", "{error}: {message}\n    at {i} ({file}:{n}:{n})\n    at {i} ({file}:{n}:{n})",
    "{file}:{n}:{n}: error: {message}", "{file}:{n}: warning: {message}", "fatal: {message}", "error: {message}", "ERROR {x}: {message}",
    "npm ERR! code {I}\nnpm ERR! {message}", "bash: {x}: command not found", "{x}: permission denied", "{x}: no such file or directory",
    "Segmentation fault (core dumped)", "Exception in thread \"main\" java.lang.{error}: {message}", "error[E0{n}]: {message}",
    "HTTP {n} {x} {x}", "[{n}:{n}:{n}] [{x}] {message}", "WARNING: {message}", "panic: {message}", "FAILED {file}::test_{i} - {error}: {message}",
    "E: Unable to {v} {x}", "{x}.service: {message}", "connection to {x} port {n} refused", "{error}: '{x}' codec can't decode byte 0x{n} in position {n}",
)  # fmt: skip
ERROR = "[Type|Value|Key|Index|Attribute|Name|Import|ModuleNotFound|Runtime|OS|Zero|Recursion|Memory|Permission|FileNotFound|Unicode|Assertion|Operational|Integrity|Timeout|Connection|Reference|Syntax|Range|NullPointer|Overflow|Indentation|UnboundLocal|Lookup|JSONDecode|Expired|Access|Null|{I}]Error"
MESSAGES = (
    "'{i}' is not defined", "name '{i}' is not defined", "No module named '{lib}'", "cannot import name '{I}' from '{lib}'", "list index out of range",
    "'{i}' object has no attribute '{i}'", "'{i}' object is not [callable|iterable|subscriptable]", "unsupported operand types", "invalid literal: '{x}'",
    "{i}() takes {n} arguments but {n} were given", "{i}() missing a required argument: '{i}'", "maximum depth exceeded", "division by zero",
    "local variable '{i}' referenced before assignment", "cannot read properties of undefined (reading '{i}')", "{i} was never awaited",
    "expected {n} values, got {n}", "could not convert string to float: '{x}'", "undefined reference to {i}", "expected ';' before {i}",
    "cannot borrow {i} as mutable", "mismatched types", "password authentication failed for user '{x}'", "relation '{i}' does not exist",
    "connection refused", "connection reset by peer", "timed out after {n} seconds", "failed to {v} the {x}", "token is {x}", "{x} already exists",
    "port {n} is already in use", "no space left on device", "out of memory", "certificate has expired", "blocked by {x} policy", "bad gateway",
    "too many {x}s", "the {x} is not a {x}", "unexpected token {x}", "unexpected end of input", "{x} is required", "missing {x} header",
    "your branch is behind '{x}' by {n} commits", "merge conflict in {file}", "object reference not set", "invalid {x}", "{p}", "{x} {x} {x}",
)  # fmt: skip
CODES = (
    "{i} = {i}[{n}]", "import {lib}", "return {i}({i})", "{i}.{i}()", "print({i})", "raise {I}Error", "{i} = {i} + '{x}'", "await {i}", "self.{i} = {i}",
)  # fmt: skip

# What somebody asks about a piece of code or a message; "" where the paste speaks for itself.
ASKED = (
    "", "", "[why|how come] does this [fail|crash|hang|print nothing|return none|not work|not stop|stop|happen|break|leak|give {n}]",
    "[what|whats|what's|what is] wrong [here|with this|with my code|with this query|with it]", "[fix|fix this|fix it|debug this|please fix|help|help me|can you fix this]",
    "what does this [do|mean|print|return|error mean|line do]", "[explain|explain this|explain the code|explain line {n}|walk me through this]",
    "[make|can you make] [this|it] [faster|shorter|safer|async|readable|cleaner|typed|generic]", "I get this [error|message|warning|output|after an update] [when I {v} the {x}|on {x}|since {x}|]",
    "how do I [fix|solve|avoid|silence|handle|debug|read] [this|that|it|this error]", "[refactor|review|optimise|document|improve|simplify|comment|test|rewrite|format] this [code|function|class|file|query|please|for me|]",
    "it [prints|gives|returns|says] {n} [instead of|but should be|not] {n}", "[where|why] [is|do I put|do I need|should I put] the {x}", "is this [safe|correct|good|thread safe|fast|pythonic|ok]",
    "[why|where] is {i} [none|empty|undefined|wrong|{n}|not found]", "this [works|fails|crashes] [on my laptop|in ci|at night|on {x}|with {lib}] but not [on the server|here|with {x}|locally]",
    "convert this [to|into] {u_language}", "port this to {u_language}", "add [type hints|comments|logging|tests|a docstring|error handling] to this", "what should the output be",
    "[any|some] idea[s|]", "what am I doing wrong", "why does {i} [keep|forget|remember|lose|change|share] [the|its] [old|] [values|state|items|data] [between calls|after that|]", "my {x} [dies|stops|fails] with this",
)  # fmt: skip

STORY = (
    "I run a [small|] {x} and keep my {x}s in a {x}", "I have a {x} [full of|with] {x}s[ and a {x}|]", "we have {n} {x}s that [{v}|send a {x}|write a {x}] every {n} [seconds|minutes|days]",
    "there are {n} {x}s and {n} {x}s", "there are n {x}s with a {x} and a {x} each", "my {x} and I {v} {x}s", "you are given a {x} of {x}s", "you are given [an array|a list|a string|a grid|two lists|a matrix|n numbers] [of {x}s|where each one is a {x}|and a {x}]",
    "each {x} has a {x}, a {x} and a {x}", "some of the {x}s are {x}s", "a {x} can only {v} {n} {x}s [a day|at once|per {x}]", "no {x} may {v} the {x} [twice|before the {x}]", "every [evening|morning|night|hour|month|{x}] I want [a {x}|to {v} the {x}|a mail with the {x}s]",
    "[return|compute|find|print|tell me] the [least|smallest|largest|best|total|expected] [number of|cost of|sum of|length of] {x}s [to {v} the {x}|needed|, or -1|per {x}|]", "[write|build|make] [a program|an app|a tool|a service|something|code] that [{v}s|can {v}|should {v}] [the|my|our|all] {x}s",
    "it [should|must|has to|needs to] {v} [the|every|each] {x}[, {v} the {x}|] and {v} [it|the {x}|them]", "the {x}s are [spelled differently|sorted by {x}|in a {x}|too many|very large|not unique|numbered from {n}]", "store them so that I can {v} the {x}",
    "[it should|it has to|must] [survive|handle|support] {n} {x}s [per second|a day|]", "if a {x} is {x}, {v} it", "[otherwise|then|else|finally] {v} the {x}", "how would you [build|do|design|solve|start|test] [that|this|it]", "explain [the choices|your answer|the {x}|why]", "add tests",
    "[use|with] {u_tool}[ and {u_tool}|]", "the {x} is on a {x}", "match the {x}s to the {x}s", "[extract|read|collect] the {x}, the {x} and the {x} [from each|of each {x}|]", "put the [result|{x}s] into a {x}", "throw away [everything older than|all but] {n} {x}s",
    "[raise an alarm|warn me|send a mail|stop|log it] [if|when|before] the {x} [is|gets|has] {x}", "my {x} is due [tomorrow|on monday]", "at which {x} do [most|the] {x}s {v}", "per {x} and per {x}", "[do not|don't|never] {v} the {x}", "the goal is to {v} as many {x}s as possible",
    "I am a {x} and [know|have] [no|little|some] {x}", "implement a {x} [simulation|system|service|cache|queue|engine|plugin] where [several|many|two|n] {x}s {v}", "there must be no {x}", "the {x} has to stay the same", "input: {n} {n} {n}, output: {n}", "the first line [contains|holds|is] {n}",
)  # fmt: skip

SHELL = (
    "[rsync|scp|copy|back up|mirror|sync|mount|unmount|archive|move] [my|the|a] {x} [to|from|on|between] [a nas|a server|an external drive|another host|the cloud|s3|a usb stick|{x}] [every night|over ssh|, but leave out {x}|without {x}|incrementally|]",
    "{cmd} [command|one-liner|script|flags|options|config|syntax|cheat sheet] [to|for|that] {v} [the|all|my] {x}s", "{cmd}: {v} the {x} and {v} the {x}", "{cmd} to {v} [a|the|my] {x}", "{cmd} {v}s [a|the|my] {x}, why", "[how can I|how do I|how to] {v} [the|my|a] {x} with {cmd}",
    "[a|the|write a|my] {cmd} [file|config|job|unit|role|recipe|pipeline|rule|hook|image|service|workflow|manifest|playbook] [for|with|that {v}s|which {v}s] [a|the|my] {x}[ and a {x}|]", "[undo|revert|squash|rebase|cherry-pick|amend|sign|drop|split|bisect|merge] [my|the] last {n} [commits|changes|stashes|tags] [but keep the {x}|without {x}|on {x}|]",
    "[why|how] [is|does|did] my [pod|container|server|service|vm|disk|cron job|dns|cluster|node|{x}] [full|down|slow|unreachable|stuck|restarting|not ready|{v}]", "[which|what] process [holds|uses|is on|listens on] [port {n}|the {x}|my {x}]", "[open|close|forward|block|scan] [port|ports] {n}[ and {n}|] [on|for|with] [{x}|{cmd}]",
    "[redirect|proxy|route|forward|balance] [http|traffic|requests|/{x}] to [https|port {n}|/{x}|another host|two {x}s]", "[install|upgrade|remove|compile|pin|configure|set up|harden] {u_tool} on [debian|ubuntu|fedora|arch|alpine|a mac|windows|a raspberry pi|my {x}]", "[set|read|unset|export|hide] the [environment variable|secret|path|key] {I} in [{cmd}|a container|github|my shell|{x}]",
    "[cut|scale|convert|join|record|trim|compress|rotate] [a video|an mp3|a gif|my {x}s|a pdf|an image] [to {n}p|from 00:0{l} to 00:{n}|with {cmd}|without losing {x}|to {n} kb]", "[renew|create|revoke|check] [a|the|my] [certificate|ssh key|gpg key|token|vpn user|mailbox] [for|on|of|with] [{x}|{cmd}]", "{cmd} -{l} -{l}{l} {x}", "{cmd} {x} --{x}={n}",
)  # fmt: skip
COMMAND = "[git|docker|kubectl|helm|terraform|ansible|nginx|apache|systemd|systemctl|journalctl|cron|crontab|ssh|scp|rsync|tar|zip|curl|wget|jq|sed|awk|grep|find|xargs|ffmpeg|imagemagick|iptables|ufw|nmap|tcpdump|openssl|gpg|apt|yum|brew|snap|make|cmake|gcc|gdb|strace|perf|tmux|screen|vim|emacs|psql|mysql|mongo|redis-cli|aws|gcloud|az|npm|yarn|pip|poetry|conda|cargo|mvn|gradle|jenkins|github actions|gitlab ci|vagrant|podman|docker compose|traefik|haproxy|postfix|samba|nfs|zfs|lvm|fdisk|mount|chmod|chown|powershell|robocopy]"

ASIDE = (
    "[why|how come] is [{x}|{u_topic}|{u_keyword}] [not|so|better than|slower than|called|always] [{x}|{n}|{u_keyword}|{u_topic}]", "is {x} {u_topic} or {u_topic}", "[what|who|where|when] [is|was|are|were] [the|a|your|my] {x} [of|in|for|with] [the|a] {x}",
    "[what|why|how] do {x}s {v}", "[do|does|can|could|should|would|will] [you|I|we|a {x}|it|they] {v} [a|the|my|your] {x}[ or a {x}| tomorrow| in {x}|]", "[who|what] {v}s [the|a] {x}", "I [{v}|{v}ed|want to {v}|cannot {v}|have to {v}|like to {v}] [a|the|my|your] {x} [today|with my {x}|again|]",
    "[advice|tips|ideas|a plan|a recipe|a name|a gift|a song] for [a|my|the] {x}", "[compare|rank|rate|list|name|describe|draw|sketch|translate|summarise|proofread|rewrite] [the|my|ten|three|these|some] {x}s[ by {x}| for a {x}|]", "[which|what] {x} [should I {v}|is best|would you {v}|is that] [this year|for a {x}|]",
    "say {x}", "{x}?", "{x} {x}", "{x} and {x}", "{x} [of|for|with|without|versus|in|on|under] {x}", "the {x} is {x}", "[no|yes|ok|well|so|hmm|lol|wow|oops|sorry], {x}", "[make|give|show|tell|read|sing|bring] me [a|the|your|another] {x}",
    "[that|this|it] is [not|] [what I {v}|a {x}|wrong|nice|{x}]", "[the|that|your] [second|last|first|old|other|new] [one|version|answer|line|part|{x}] [please|again|but {x}|is {x}|with {x}|was better]", "[now|and|again|still|also|same|but] [with|without|for|as|in] [a|the|more|less|] {x}", "[change|rename|remove|shorten|undo|keep|move|repeat] [your|the|that|my|all] [last|] [{x}|{x}s|change|variable names|lines|words]",
    "[keep going|carry on|go on|once more|try again|not like that|and then|what else|says who|anything else] [please|with the {x}|from there|until {x}|]", "[add|drop|use] [more|some|fewer|no|the] {x}s", "{u_topic} [in|for|with|and|versus|without] {u_topic}", "{x} {u_topic}", "{u_tool} {x} {v}", "{u_tool}: {v} [the|my] {x} [by|with|and|from] {x}",
    "{u_language}: {v} [the|a] {x}", "{u_language} [code|program|script|type|macro|class|template|module|trait] [for|that {v}s|with] [a|the] {x}", "{u_game} with [a|the] {x}", "{x} {u_app}", "{u_app} for my {x}", "{x} classifier", "{x} [detection|prediction|simulation|embedding|encoding|analysis|clustering|rendering|scheduling|routing] [for|of|with] {x}s",
)  # fmt: skip

# A known task and something that makes another of it; {k} is its request, {v} its description.
TWISTS = (
    "{k} where [the|each|every|a|any] {y} [is|has|comes with|stands for|counts as|must not be] [a|the|its|no] {y}", "{k} where multiples of {n} [print|count as|are] {y}[ as well|]", "{k}, [ties|equal ones|draws] [by|broken by|in order of] {y}", "{k} of [two|three|several] [sorted|nested|infinite|circular|] {y}s",
    "how many [swaps|steps|comparisons|calls|moves|loops|bits|lines|tries] does it take to {v}", "how many {y}s are there if I {v}", "{k} [whose|with the largest|with the smallest|by the number of|by their] {y}", "{k} which are followed by a {y}", "{k} [followed by|next to|between|before|after] [a|two|the] {y}[s|]",
    "{k} and leave the {y}s in place", "{k} and [also|then|afterwards|at the end] [{d} the {y}|print the {y}|count the {y}s|ask for a {y}]", "{k} [unless|if|while|until|as long as|whenever] [the|a|it|there] {y} [{d}s|is {y}|is odd|is missing|comes first|repeats]", "only the {y}s of this: {v}", "{k} for [each|every] {y} of a {y}", "{k} with [{n}|k|three|many] {y}s [at once|instead|each|]",
    "{k} and {n} [prints|gives|means|does] nothing", "{k} in base {n} [and in base {n}|]", "{k} with [weights|wildcards|memory|noise|gaps|jumps|carry|padding|a cache|a limit|a timeout|undo|probabilities|units]", "{v} [in|with|on|over|from|against|like] [a|the|my|some] {y}", "{v} [a|the|my] {y} [that|which] {d}s", "the [probability|cost|number of ways|proof|history|expected time|opposite|derivative|drawing] of this: {v}",
    "{v} [for|of|inside|around] [a|the|every|n] {y}s", "guess the {y}, then {v}", "{k}, but the {y} [is|comes] [first|last|twice|from a {y}|at random|backwards]", "{k} [except|apart from|not counting|including|ignoring] [the|every|a] {y}", "[prove|show|argue|verify] that you can {v}", "{k} as a [{y}|recurrence|state machine|stream|tree|coroutine|formula|poem|picture|spreadsheet|proof]",
    "{v} by {p}", "{k} using {p}", "{k} of a {p} {y}", "{v} by the {p} method", "{k} with the {p} algorithm", "{v} like a {y} would",
)  # fmt: skip

# Beside a known task: what changes nothing.
BESIDE = (
    "I am a {x} and [know|learn|teach|need] [little|some|no|] python. <k>", "my {x} is [a {x}|{x}|late|on {x}]. <k>", "we have {n} {x}s, <k>", "for my {x}: <k>", "in my {x} class: <k>", "hi, {p} here. <k>",
    "[today|yesterday|now|tonight] I {v} [a|the|my] {x}. <k>", "I {v} {x}s and <k>", "this is [for|about] [a|my] {x}: <k>", "[as|being] a {x}, <k>", "{p}, <k>", "the {x} {v}s. <k>", "[before|when|while|since|as] I {v}: <k>",
    "<k>, it is for [a|my|the] {x}", "<k>. My {x} [needs|wants|likes] it", "<k>, thanks, {p}", "<k>, I {v} [today|tomorrow|soon|a lot]", "<k>. It is [part of|for|about] {n} {x}s", "<k> [for|in|on] [my|our] {x} [project|homework|website|app|job|course|exam]", "<k>. I am a {x}",
)  # fmt: skip
NOUN_FRAMES = (
    "{v} <n>", "{v} [me|us|them|him|her|it] <n>", "[I|we|you|they|she|he|my {x}|the {x}|{p}] [|will|can|must|should|may|might|could|shall] {v} <n>", "[please|now|then|just|kindly|do|let's|let us] {v} <n>", "{v} [a|the|some|my] {x} [for|with|of|on|about] <n>",
    "[I|we|you|they] {v} [with|for|on|about|at|over|into|towards] <n>", "[a|the|my] {x} [needs|has|does|wants|likes|{v}s] <n>", "{x}: <n>", "<n> [is what I {v}|for a {x}|, {p}|is my {x}|would {v} me|is due]",
)  # fmt: skip

# Of words that do not exist.
ONSETS = tuple(
    "b c d f g h j k l m n p qu r s t v w x y z bl br ch cl cr dr fl fr gl gr kr ph pl pr sc sh sk sl sm sn sp st str sw th tr tw".split()
)
NUCLEI = tuple("a e i o u ai au ea ee ia ie io oa oo ou ue y".split())
CODAS = (
    "", "", "b", "ck", "d", "ft", "g", "l", "ll", "m", "n", "nd", "ng", "nt", "p", "r", "rk", "s", "ss", "st", "t", "x", "z",
    "ity", "ium", "ify", "ly", "sson", "ov",
)  # fmt: skip
