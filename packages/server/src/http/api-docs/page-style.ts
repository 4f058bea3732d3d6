/** The style of the page. Its hash is in the page's Content-Security-Policy, so it is one constant text. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #556274; --paper: #ffffff; --panel: #f4f6f9; --line: #dbe1e8; --link: #3346c4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e9f0; --soft: #9fabba; --paper: #12161c; --panel: #1a2029; --line: #2d3642; --link: #9db0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main, header { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
h1 { font-size: 1.7rem; margin: 0; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem; }
h4 { margin: 1.1rem 0 .35rem; font-size: .9rem; color: var(--soft); }
a { color: var(--link); }
nav { display: flex; flex-wrap: wrap; gap: .35rem .9rem; margin: 1rem 0; }
code, pre { font: .9em/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem 1rem; border-radius: 6px; background: var(--paper); border: 1px solid var(--line); }
details { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; background: var(--panel); }
summary { cursor: pointer; padding: .6rem .9rem; overflow-wrap: anywhere; }
summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
summary > span:last-child { color: var(--soft); }
.inside { padding: 0 .9rem .9rem; overflow-x: auto; }
.inside:target { outline: 2px solid var(--link); }
.method { display: inline-block; min-width: 4.6rem; padding: .1rem .5rem; border-radius: 5px; text-align: center; font: 600 .78rem/1.6 ui-monospace, monospace; color: #fff; background: #4a5568; }
.method.get { background: #1d5fa8; }
.method.post { background: #1f7a44; }
.method.patch, .method.put { background: #8a5a00; }
.method.delete { background: #b3261e; }
table { width: 100%; border-collapse: collapse; font-size: .93em; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td:first-child { min-width: 9rem; }
b { font-weight: 500; font-size: .8em; color: var(--soft); }
footer { padding: 3rem 0; color: var(--soft); }
`
