import './style.css'

export const metadata = { title: 'Skerry Supply' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
