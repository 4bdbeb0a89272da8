import { writeArchive, readArchive } from '../archive.ts'
import { passwordPlaceholder, placeholderFor } from './package-properties.ts'
import { readProperties, writeProperties } from './properties.ts'

export type PackageSecrets = {
  readonly password: string
  /** Of custom properties that are secrets, by name. */
  readonly properties: ReadonlyMap<string, string>
}

/** The zip of a package with its secrets in their places; for an upload, or for whoever asked for them, and never to be stored. */
export function withSecrets(zip: Uint8Array, { password, properties }: PackageSecrets): Uint8Array {
  const archive = readArchive(zip)
  const files = new Map<string, Uint8Array | string>()
  for (const path of archive.keys()) {
    const content = archive.get(path)
    if (content === undefined) continue
    files.set(path, content)
    if (!/^[^/]+\/conf\/properties\/package\.properties$/.test(path)) continue
    const text = typeof content === 'string' ? content : new TextDecoder().decode(content)
    const filled = [...readProperties(text)].map(([name, value]): [string, string] => {
      if (name.endsWith('.password') && value === passwordPlaceholder) return [name, password]
      return [name, value === placeholderFor(name) ? (properties.get(name) ?? value) : value]
    })
    files.set(path, writeProperties(filled))
  }
  return writeArchive(files)
}
