// Before the first paint, so that the dark theme does not flash white.
let chosen = null
try {
  chosen = localStorage.getItem('burgee-color-scheme')
} catch {
  // Storage is blocked: the system's choice counts.
}
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
