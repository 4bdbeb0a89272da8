import { storage } from '../../api/storage.ts'

export type Theme = 'light' | 'dark'

/** What is shown now: the chosen one, else the system's. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Chooses the other theme; choosing the system's own goes back to following it. */
export function toggleTheme(): Theme {
  const next = currentTheme() === 'dark' ? 'light' : 'dark'
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset['theme'] = next
  if (next === system) storage.remove('theme')
  else storage.write('theme', next)
  return next
}

export function toggleDensity(): void {
  const root = document.documentElement
  if (root.dataset['density'] === 'comfortable') {
    delete root.dataset['density']
    storage.remove('density')
  } else {
    root.dataset['density'] = 'comfortable'
    storage.write('density', 'comfortable')
  }
}
