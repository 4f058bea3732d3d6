/** The picture of the product. */
export const LANTERN = `<svg viewBox="0 0 240 280" role="img" aria-label="A brass lantern, lit">
<defs>
<radialGradient id="glow"><stop offset="0" stop-color="#ffd27a" stop-opacity=".95"/><stop offset=".45" stop-color="#ffb547" stop-opacity=".35"/><stop offset="1" stop-color="#ffb547" stop-opacity="0"/></radialGradient>
<linearGradient id="brass"><stop offset="0" stop-color="#8a5a1c"/><stop offset=".35" stop-color="#f0c66b"/><stop offset=".6" stop-color="#d39a3a"/><stop offset="1" stop-color="#7a4d16"/></linearGradient>
<linearGradient id="glass" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#fff3d1"/><stop offset="1" stop-color="#ffc861"/></linearGradient>
</defs>
<circle cx="120" cy="158" r="118" fill="url(#glow)"/>
<path d="M84 74C84 22 156 22 156 74" fill="none" stroke="url(#brass)" stroke-width="6" stroke-linecap="round"/>
<path d="M104 62h32l8 20H96z" fill="url(#brass)"/>
<rect x="82" y="82" width="76" height="16" rx="5" fill="url(#brass)"/>
<path d="M86 98h68c14 22 14 86 0 112H86c-14-26-14-90 0-112z" fill="url(#glass)"/>
<g stroke="#e0a84a" stroke-width="2" fill="none" opacity=".75"><path d="M79 122h82M76 142h88M76 164h88M79 186h82"/></g>
<path d="M120 132c13 16 17 25 17 35a17 17 0 0 1-34 0c0-10 6-17 17-35z" fill="#ff9a3c"/>
<path d="M120 152c6 8 8 12 8 17a8 8 0 0 1-16 0c0-5 3-9 8-17z" fill="#fff0b8"/>
<g stroke="url(#brass)" stroke-width="5" fill="none"><path d="M86 98c-14 26-14 86 0 112M154 98c14 26 14 86 0 112"/></g>
<rect x="78" y="208" width="84" height="16" rx="5" fill="url(#brass)"/>
<path d="M88 224h64l10 24H78z" fill="url(#brass)"/>
<rect x="70" y="246" width="100" height="12" rx="5" fill="url(#brass)"/>
</svg>`
