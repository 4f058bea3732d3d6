/** The page's whole look, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f6f4ef; --card: #ffffff; --ink: #1c2530; --soft: #5a6675; --line: #e2ddd2;
  --accent: #14532d; --accent-ink: #ffffff; --hot: #c2410c;
  --sea: #0f4c75; --coral: #b23a48; --meadow: #2f6b3c;
  --figure: radial-gradient(circle at 50% 55%, #23405c, #0d1b2a 75%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f151c; --card: #18212b; --ink: #e9eef4; --soft: #9fb0c0; --line: #2a3744;
    --accent: #86d9a4; --accent-ink: #0b2214; --hot: #ff9b6a;
    --sea: #15476b; --coral: #8f3341; --meadow: #2a5935;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", "Liberation Sans", sans-serif; }
.banner { color: #fff; text-align: center; padding: 10px 16px; font-size: 14px; letter-spacing: .02em; transition: background-color .6s; }
.banner.sea { background: var(--sea); }
.banner.coral { background: var(--coral); }
.banner.meadow { background: var(--meadow); }
main { max-width: 960px; margin: 0 auto; padding: 0 20px 56px; }
nav { display: flex; justify-content: space-between; align-items: center; gap: 16px; padding: 22px 0; }
.brand { font: 700 20px/1 Georgia, "Liberation Serif", serif; letter-spacing: -.01em; }
.pill { display: inline-flex; align-items: center; gap: 8px; font-size: 13px; color: var(--soft); }
.pill::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: #d19a1c; }
.pill.live::before { background: #22a35a; box-shadow: 0 0 0 4px color-mix(in srgb, #22a35a 22%, transparent); }
article { display: grid; grid-template-columns: 1.05fr 1fr; background: var(--card); border: 1px solid var(--line); border-radius: 20px; overflow: hidden; }
figure { margin: 0; display: grid; place-items: center; padding: 28px; background: var(--figure); }
figure svg { width: min(100%, 290px); height: auto; display: block; }
article section { padding: 40px; align-self: center; }
h1 { margin: 0 0 10px; font: 700 34px/1.15 Georgia, "Liberation Serif", serif; letter-spacing: -.02em; }
.lead { margin: 0; color: var(--soft); }
.price { margin: 22px 0 2px; font-size: 28px; font-weight: 650; font-variant-numeric: tabular-nums; }
.shipping { margin: 0 0 24px; color: var(--soft); font-size: 15px; }
.shipping.free { color: var(--accent); font-weight: 600; }
.buy { width: 100%; min-height: 52px; padding: 0 20px; border-radius: 12px; font: inherit; font-weight: 600; cursor: pointer; background: transparent; color: var(--ink); border: 1.5px solid var(--ink); }
.buy.new { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
.buy:hover { filter: brightness(1.1); }
.note { margin: 10px 0 0; text-align: center; font-size: 13px; color: var(--soft); }
h2, caption { margin: 0; font-size: 13px; font-weight: 600; color: var(--soft); text-align: left; }
.visitor { display: flex; flex-wrap: wrap; gap: 20px 48px; padding: 32px 0 28px; }
.visitor div { display: flex; flex-wrap: wrap; gap: 8px; }
.visitor h2 { flex-basis: 100%; }
.choice { display: inline-flex; align-items: center; min-height: 38px; padding: 0 16px; border-radius: 99px; border: 1px solid var(--line); color: var(--ink); background: var(--card); text-decoration: none; font-size: 15px; overflow-wrap: anywhere; }
.choice:hover { border-color: var(--soft); }
.choice[aria-current] { background: var(--ink); border-color: var(--ink); color: var(--paper); }
:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: 15px; }
caption { padding-bottom: 8px; }
thead th { font-size: 13px; font-weight: 500; color: var(--soft); }
th, td { text-align: left; padding: 10px 12px 10px 0; border-top: 1px solid var(--line); font-weight: 400; }
tbody th { font-family: ui-monospace, "Liberation Mono", monospace; font-size: 14px; overflow-wrap: anywhere; }
td, th { vertical-align: baseline; }
code { font: 600 14px ui-monospace, "Liberation Mono", monospace; color: var(--hot); overflow-wrap: normal; }
@media (max-width: 720px) {
  article { grid-template-columns: 1fr; }
  figure svg { width: min(70%, 230px); }
  article section { padding: 28px 24px; }
  h1 { font-size: 28px; }
  th, td { padding-right: 16px; }
  tbody th, code { font-size: 13px; }
}
@media (prefers-reduced-motion: reduce) { .banner { transition: none; } }
`
