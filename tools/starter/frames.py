"""Sentence frames as grammars: how a request may lead up to its task, for the last parts of
the training. `[a|b]` is either; {v} {s} {g} {n} as in `words`.

What matters is the breadth: a way of asking that the model has never seen must not look like a task
that it does not know. None of them is one of the frames held out (`words.HELD_*`).
"""

# ruff: noqa: E501  (word lists are easier to read in a block)

_MAKE = (
    "[write|create|make|build|code|implement|construct|compose|devise|assemble|prepare|supply|"
    "invent|formulate|hack together|knock up|whip up|set up|work up|type|type up|put down|jot down|"
    "spell out|lay out|deliver|submit|offer|present|share|post|contribute|add|introduce|include|"
    "propose|recommend|fill in|finish|complete|start|begin|do|try|think of|think up|work on|"
    "scribble|outline|establish|declare|set down|turn out|give|return|print|output|reply with|"
    "answer with|respond with|help with|assist with|take care of|see to|figure out]"
)
_FETCH = (
    "[hand|send|get|find|bring|fetch|pass|lend|leave|mail|type|write|cook|show|draw|sort|do|fix|"
    "give|offer|teach|tell|make|build|spell|pick] [me|us]"
)
_HAVE = (
    "[I need|I want|I'd want|I miss|I lack|I require|I could use|I wish I had|I'd love|I'd prefer|"
    "I would appreciate|I would welcome|I'd be glad of|I'm hoping for|I hope for|I ask for|"
    "I'm asking for|I'm searching for|I search for|I'm in need of|I was told to get|I've been asked for|"
    "we need|we want|we require|we lack|we are short of|we could do with|my boss wants|my teacher wants|"
    "my friend needs|the client wants|the user wants|the exercise asks for|the assignment requires|"
    "the book asks for|somebody wants|they want|she wants|he needs|there should be|there must be|"
    "what I need is|what we want is|all I want is|all I need is|my wish is|my request is|"
    "searching for|in search of|in need of|asking for|hoping for|wishing for|requesting|required is|"
    "required:|requested:|missing:|asked for:|do you have|have you got|got|is there|any|"
    "can I have|could we have|may I have|might I get|could you find|would you have|where is|where do I find]"
)
_KIND = (
    "[|small|tiny|short|simple|clean|neat|little|nice|basic|quick|good|working|plain|readable|"
    "reusable|generic|python|elegant|minimal|compact|complete|correct|proper|single|fast]"
)
_THING = (
    "[function|method|procedure|routine|subroutine|helper|utility|snippet|piece of code|bit of code|"
    "program|script|tool|solution|algorithm|implementation|function|def|command|one|thing|"
    "few lines|code sample|example|block of code]"
)
_ONE = f"[a|one|some|the|this|my|another|a|a] {_KIND} {_THING}"
_THAT = "[that|which]"
_ABLE = (
    "[to|in order to|so I can|so that I can|so we can|that can|which can|that will|that would|"
    "that should|that must|that lets me|with which I can|I can use to|to let me|able to|made to|meant to]"
)
_SHOULD = (
    "[should|must|needs to|ought to|is supposed to|is meant to|is expected to|will|shall|can|is to|"
    "does not yet|still has to|had better|would]"
)
_OWN = (
    "[the|this|my|our|that|your|a] [app|tool|code|function|method|notebook|backend|module|library|"
    "bot|project|job|answer|result|cell|command|thing|helper|routine|solution|snippet]"
)
_LABEL = (
    "[todo|TODO|Task|task 2|request|exercise 3|exercise|Q|Q1|question 4|step 1|1.|2)|-|*|job|"
    "assignment|homework|kata|challenge|your task|your job|instruction|prompt|spec|requirement|"
    "feature|user story|puzzle|warm-up|interview question|what to do|idea|ticket|issue|now|first|"
    "then|input|ask|subject|aim|purpose|objective|target|mission|quest|please help|help|hi|ok then]"
)
_EXPLAIN = (
    "[anyone know|does anyone know|does somebody know|do you remember|who knows|"
    "remind me|walk me through|I wonder|I was wondering|I am wondering|I don't know|"
    "I do not know|no idea|not sure|I want to know|I'd like to know|I want to learn|I'm learning|"
    "I have to learn|please tell me|please show me|let me know|I'd like to see|I want to see|"
    "learn|find out|see|can you show me|could you tell me|would you show me]"
)
_BEST = (
    "[what is|what's|what would be|which is|is there|do you know|I need|I want|I'd like|show me|tell me|give me] "
    "[the|a|your|one|some] [right|proper|usual|idiomatic|fastest|cleanest|shortest|normal|"
    "preferred|recommended|standard|easiest|quickest|safest|common|good|nice|clever|short] "
    "[way|approach|method|code|function|trick|idiom|means|recipe]"
)
_END = (
    "[ please|, that's it|, that is all|. That's all|. Code only|. No explanation|, no explanation|"
    ". Keep it short|, in one function| in one function| in a few lines| right now| if possible|, ok|"
    ", will you|, would you|, can you|, if you can|, if you would|, quick|, fast|, cheers|, thx|, ta|"
    " - any ideas| - any hints|... help|, the simple way|, the easy way| from scratch| by myself| today|"
    ", as an exercise|, as a warm-up|, as a start| at once| in my code| in my script| in a script|"
    " with code| by code| in code| programmatically| automatically|, I mean| again| once more|, no imports]"
)
_HELP = (
    "[I'm stuck|I am stuck|struggling|I'm struggling|having trouble|I have trouble|I have problems|assist me|"
    "I need a hand|some help|advice|tips|a question|I need assistance|I'm working|"
    "I am working|busy] [with|on|about]"
)
_MEANS = (
    "[the|a|an|any|some|my|one] [method|trick|recipe|idiom|solution|procedure|approach|algorithm|"
    "function|code|routine|helper|command|logic|python] [of|for]"
)

VERB_FRAMES = (
    f"{_MAKE} {_ONE} {_THAT} {{s}}",
    f"{_MAKE} {_ONE} {_ABLE} {{v}}",
    f"{_MAKE} [code|python|python code|some code|a function|a program] [that {{s}}|to {{v}}|for {{g}}]",
    f"{_FETCH} {_ONE} {_THAT} {{s}}",
    f"{_FETCH} {_ONE} {_ABLE} {{v}}",
    f"{_HAVE} {_ONE} {_THAT} {{s}}",
    f"{_HAVE} {_ONE} {_ABLE} {{v}}",
    f"{_ONE} {_THAT} {{s}}",
    f"{_ONE} {_ABLE} {{v}}",
    f"{_OWN} {_SHOULD} {{v}}",
    f"{_OWN} {_SHOULD} {{v}}{_END}",
    f"[it|this|that|he|she|one|everything|someone] {_SHOULD} {{v}}",
    f"{_LABEL}: {{v}}",
    f"{_LABEL} {{v}}",
    f"{_LABEL}: {_MAKE} {_ONE} {_THAT} {{s}}",
    f"{_EXPLAIN} how [to|one can|you would|you|I can|I could|people|we could] {{v}}",
    f"{_BEST} to {{v}}",
    f"{_BEST} [for|when] {{g}}",
    f"{_HELP} {{g}}",
    f"{_MEANS} {{g}}",
    f"{{v}}{_END}",
    f"[write|make|create|I need] a function that {{s}}{_END}",
    "[the job|my job|my plan|the plan|the idea|the aim|the point|the exercise|the assignment|my homework|your task|what I want|all I want|the thing] is to {v}",
    "[I was asked|I was told|I've got|I plan|I intend|I mean|I wish|I hope|I'd love|I'd prefer|we plan|we want|we need|we'd like|they want me|she told me|someone asked me|it is time|the time has come|it would be nice|it'd be great|I'm supposed|I'm about|remember|learn|attempt] to {v}",
    "[when called, it|given the input, it|the function|the method|my function|the code|your code|your function|the tool] {s}",
    "[let us|let me|now|next|then|first|also|today we|now I|here we|you|please do|do|kindly|would you kindly|be so kind and|be nice and|could you maybe|maybe|perhaps|if you can,|if possible,] {v}",
)
NOUN_FRAMES = (
    f"{_MAKE} {{n}}",
    f"{_MAKE} {{n}}",
    f"{_FETCH} {{n}}",
    f"{_HAVE} {{n}}",
    f"{_HAVE} {{n}}",
    f"{_MAKE} {_ONE} for {{n}}",
    f"{_FETCH} {_ONE} for {{n}}",
    f"{_HAVE} {_ONE} for {{n}}",
    f"{_ONE} for {{n}}",
    f"{_OWN} {_SHOULD} do {{n}}",
    f"{_LABEL}: {{n}}",
    f"{_LABEL} {{n}}",
    f"{_EXPLAIN} {{n}}",
    f"{_EXPLAIN} how to [do|get|code|write|implement|compute] {{n}}",
    f"{_BEST} for {{n}}",
    f"{_HELP} {{n}}",
    f"{_MEANS} {{n}}",
    f"{{n}}{_END}",
    "[let's do|let's have|let us see|how does one do|how is one to do|what about|why not|time for|now for|next up:|on to|once again:|again:|back to|about|regarding|concerning|re:|as to] {n}",
    "{n} [solution|implementation|example|routine|helper|utility|script|program|algorithm|task|exercise|problem|one-liner|logic|thing|demo]",
)
RENAME = (
    "[please|now|ok,|and|then|also|next|instead,] [rename|name|call] [it|that|this|the function|the thing|the method] {f}",
    "[make|let] {f} [the name|its name|the new name|the function's name|be the name|be its name]",
    "[I prefer|I'd rather have|I like|better:|I want] {f} as [the|its] name",
    "[the name|its name|the function's name|the function] [must be|is to be|ought to be|shall be|is now|becomes|has to be] {f}",
    "[again|once more|the same code|same code|same function|that|this], [but named|but as|but called|with the function called|as] {f}",
    "[replace|swap] the name [by|with|for] {f}",
    "{f} [is a better name|would be better|please|as the name, please|instead]",
)
AGAIN = (
    "[please|now|ok,|and|then|also|next|again|once more,] [in|using|with] {l}",
    "[translate|port|convert|turn|move|change|rewrite|transform] [it|that|this|the code|the function] [to|into|in] {l}",
    "[show|write|code|do|repeat|make|express] [me the same|the same thing|that|this|it|the function] in {l}",
    "[the|a|your] {l} [version|code|variant|one|equivalent|way|translation]",
    "[and|what about|how about|what is it in|how is it done in|how does it go in|same for] {l}?",
    "{l} [version|this time|now|instead|please]",
    "[I need|I want|I'd like|I use|we use|I prefer|I'd rather have] {l}",
)
NAME_CLAUSES = (
    " [called|named|with name|titled|known as|by the name of|under the title] {f}",
    "[,|.|;|:| -] [call|name|title|label|christen] [it|this|that|the function|the thing] {f}",
    "[.|;|,] [the|its] [name|title|function name|identifier] [is|shall be|ought to be|would be|:|=] {f}",
    "[.|,|;] [use|take|pick|choose|have|make it|let it be|I want|I'd like|I prefer] {f} [as|for] [the|its|a] name",
    " [and|then|but] [call|name] [it|this|that|the function] {f}",
    "[.|,] I [will|would|want to|need to|am going to] call it {f}",
    "[.|,] {f}[ please|, that is the name| should be its name| is what I call it| it is called]",
)
