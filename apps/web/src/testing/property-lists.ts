import type { Property } from './configuration-server.ts'

export function isSecret(name: string): boolean {
  return name.startsWith('secret')
}

/** Sets the value of a property; a new one is added after `behind`. */
export function withValue(all: readonly Property[], at: string, behind: string, value: string): Property[] {
  if (all.some(({ name }) => name === at)) return all.map(item => (item.name === at ? { ...item, value } : item))
  const index = all.findIndex(({ name }) => name === behind)
  return all.toSpliced(index + 1, 0, { name: at, value, secret: isSecret(at) })
}

export function withName(all: readonly Property[], at: string, to: string): Property[] {
  if (isSecret(at) !== isSecret(to) || all.some(({ name }) => name === to)) return [...all]
  return all.map(item => (item.name === at ? { ...item, name: to } : item))
}

/** Toggles a secret and sets its value. */
export function withFlag(all: readonly Property[], at: string, value: string): Property[] {
  return all.map(item => (item.name === at ? { ...item, secret: !item.secret, value } : item))
}
