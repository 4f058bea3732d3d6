import { BurgeeProvider } from '@burgee/react'
import { createClient } from '@burgee/sdk'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Shop } from './shop.jsx'
import './style.css'

const { BURGEE_SDK_KEY: sdkKey = '', BURGEE_URL: url = 'http://localhost:3000' } = import.meta.env

const client = createClient({ url, sdkKey })
const query = new URLSearchParams(location.search)
const user = { key: query.get('user') ?? 'anna', attributes: { plan: query.get('plan') ?? 'free' } }

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <BurgeeProvider client={client} user={user}>
      <Shop user={user} />
    </BurgeeProvider>
  </StrictMode>,
)
