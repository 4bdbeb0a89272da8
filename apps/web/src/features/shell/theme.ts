import { storage } from '../../api/storage.ts'

export const themeChoices = ['light', 'dark', 'system'] as const
export type ThemeChoice = (typeof themeChoices)[number]

/** 'system' follows the operating system. */
export function chosenTheme(): ThemeChoice {
  const chosen = document.documentElement.dataset['theme']
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') {
    delete document.documentElement.dataset['theme']
    storage.remove('theme')
  } else {
    document.documentElement.dataset['theme'] = choice
    storage.write('theme', choice)
  }
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
