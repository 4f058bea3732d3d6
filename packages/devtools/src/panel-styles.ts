/** The styles of the panel. The page cannot reach into its shadow root, nor the panel out of it. */
export const PANEL_STYLES = `
:host {
  all: initial;
  color-scheme: light dark;
  --text: light-dark(#1c2430, #e6eaf0);
  --quiet: light-dark(#566274, #9aa6b6);
  --ground: light-dark(#ffffff, #161b22);
  --raised: light-dark(#f4f6f9, #1f2630);
  --line: light-dark(#c9d1dc, #394351);
  --accent: light-dark(#1257c7, #7db2ff);
  --forced: light-dark(#8a3b00, #ffb870);
  --forced-ground: light-dark(#fff3e3, #33240f);
  --problem: light-dark(#b3172a, #ff8f9b);
  font: 13px/1.45 system-ui, sans-serif;
}
* { box-sizing: border-box; font: inherit; color: inherit; }
.frame {
  position: fixed; right: 16px; bottom: 16px; z-index: 2147483647;
  display: flex; flex-direction: column; align-items: flex-end; gap: 8px; color: var(--text);
}
button, select, input {
  background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: 4px 8px; min-height: 28px;
}
button { cursor: pointer; white-space: nowrap; }
button:hover { background: var(--raised); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
[hidden] { display: none !important; }
.toggle { border-radius: 999px; padding: 6px 14px; font-weight: 600; box-shadow: 0 2px 8px rgb(0 0 0 / 0.25); }
.toggle.forced { background: var(--forced-ground); color: var(--forced); border-color: var(--forced); }
.panel {
  display: flex; flex-direction: column; width: 440px; max-width: calc(100vw - 32px); max-height: min(70vh, 640px);
  background: var(--ground); border: 1px solid var(--line); border-radius: 10px;
  box-shadow: 0 8px 30px rgb(0 0 0 / 0.3); overflow: hidden;
}
header { display: flex; align-items: center; gap: 8px; padding: 10px 12px 0; }
h2 { margin: 0; flex: 1; font-size: 15px; font-weight: 650; }
.tools { display: flex; gap: 8px; padding: 8px 12px; }
.tools input { flex: 1; min-width: 0; }
.notice {
  margin: 0 12px 8px; padding: 6px 10px; border-radius: 6px; background: var(--forced-ground); color: var(--forced);
}
ul { list-style: none; margin: 0; padding: 0; overflow-y: auto; border-block: 1px solid var(--line); }
li {
  display: grid; grid-template-columns: minmax(0, 1fr) 190px; gap: 4px 12px; align-items: center;
  padding: 8px 12px; border-left: 3px solid transparent;
}
li + li { border-top: 1px solid var(--line); }
li.forced { border-left-color: var(--forced); background: var(--forced-ground); }
code { display: block; font: 12px/1.4 ui-monospace, monospace; font-weight: 600; overflow-wrap: anywhere; }
.reason { font-size: 12px; color: var(--quiet); }
li.forced .reason { color: var(--forced); }
.control { display: flex; gap: 6px; min-width: 0; }
.control > :first-child { flex: 1; min-width: 0; width: 100%; text-overflow: ellipsis; }
[aria-invalid] { border-color: var(--problem); }
.problem { grid-column: 1 / -1; margin: 0; color: var(--problem); }
.problem:empty { display: none; }
.empty { padding: 16px 12px; margin: 0; color: var(--quiet); }
footer { padding: 8px 12px; font-size: 12px; color: var(--quiet); }
@media (max-width: 480px) {
  .frame { right: 8px; bottom: 8px; left: 8px; }
  .panel { width: 100%; max-width: 100%; }
  li { grid-template-columns: minmax(0, 1fr); }
}
`
