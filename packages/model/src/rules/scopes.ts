import { messages } from '../messages.ts'

/** Operation scopes are a list of texts. */
export function scopes(value: unknown): string | undefined {
  return Array.isArray(value) && value.every(item => typeof item === 'string') ? undefined : messages.scopesArray
}

/** Scopes typed or pasted as text: split on commas, trimmed, empty entries dropped. */
export function parseScopes(text: string): string[] {
  return text
    .split(',')
    .map(scope => scope.trim())
    .filter(scope => scope !== '')
}
