// What the pages do beyond showing: live rows, keys, and a few comforts. They work without it.
import { follow } from "./live.js";
import { listen } from "./keys.js";
import { offerCopies } from "./copy.js";
import { slide } from "./thresholds.js";
import { switchThemes } from "./theme.js";

switchThemes();
offerCopies();
listen();
slide();
follow();
