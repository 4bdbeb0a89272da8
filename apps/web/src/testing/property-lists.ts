import type { Property } from './configuration-server.ts'

/** Properties of these names are secret. */
export function isSecret(name: string): boolean {
  return name.startsWith('secret')
}

/** A new value of the property; where there is none it is added, behind the one that is named too. */
export function written(all: readonly Property[], at: string, behind: string, value: string): Property[] {
  if (all.some(({ name }) => name === at)) return all.map(item => (item.name === at ? { ...item, value } : item))
  const index = all.findIndex(({ name }) => name === behind)
  return all.toSpliced(index + 1, 0, { name: at, value, secret: isSecret(at) })
}

/** Under another name, where that is free and as secret as the one before. */
export function renamed(all: readonly Property[], at: string, to: string): Property[] {
  if (isSecret(at) !== isSecret(to) || all.some(({ name }) => name === to)) return [...all]
  return all.map(item => (item.name === at ? { ...item, name: to } : item))
}

/** A secret that becomes open with another value, or the other way round. */
export function flagged(all: readonly Property[], at: string, value: string): Property[] {
  return all.map(item => (item.name === at ? { ...item, secret: !item.secret, value } : item))
}
