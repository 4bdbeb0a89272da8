// Must be the first import, because it defines the order of the style layers.
import './styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { dropWhereReset } from './api/storage.ts'
import { Providers } from './providers.tsx'
import { registerAll } from './registrations.ts'
import { Router, startRouter } from './router.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element.')

// Must run before stored data is read.
dropWhereReset()
registerAll()
void startRouter()
createRoot(root).render(
  <StrictMode>
    <Providers>
      <Router />
    </Providers>
  </StrictMode>,
)
