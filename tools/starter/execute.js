// Judges JavaScript against checks, each job in a context of its own and under a limit of time.
// The argument is how many times the usual limit each one has.
// Standard input: [{code, name, checks: [[args, expected], …]}]; standard output: [true, false, …].
"use strict";
const vm = require("node:vm");
const jobs = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));

const limit = 40 * Number(process.argv[2]); // milliseconds of wall time

function passes({ code, name, checks }) {
  const calls = checks.map(([args]) => `${name}(...${JSON.stringify(args)})`).join(", ");
  const script = `${code}\n;JSON.stringify([${calls}])`;
  try {
    const said = vm.runInContext(script, vm.createContext({}), { timeout: limit });
    return said === JSON.stringify(checks.map(([, expected]) => expected));
  } catch {
    return false;
  }
}

process.stdout.write(JSON.stringify(jobs.map(passes)));
