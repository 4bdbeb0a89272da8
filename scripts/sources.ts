import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './processes.ts'

const EXCLUDED = new Set(['node_modules', 'dist', 'peers', 'data'])

/** Paths from the repository's root of all files below `folder` whose name matches. */
export function filesBelow(folder: string, name: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = folder === '.' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) return EXCLUDED.has(entry.name) ? [] : filesBelow(path, name)
      return name.test(entry.name) ? [path] : []
    })
}

export function readSource(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
