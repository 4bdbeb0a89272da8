import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { afterAll } from 'vitest'

/** A copy of the library, which a test file changes as it likes; gone after its last test. */
export function ownLibrary() {
  const folder = temporaryFolder('library')
  afterAll(() => removeFolder(folder))
  cpSync(fileURLToPath(new URL('../../library/', import.meta.url)), folder, { recursive: true })
  const fileOf = (path: string) => join(folder, `${path}.cdm.json`)
  function change(path: string, by: (text: string) => string, from = path): void {
    mkdirSync(dirname(fileOf(path)), { recursive: true })
    writeFileSync(fileOf(path), by(readFileSync(fileOf(from), 'utf8')))
  }
  return {
    /** For the console that reads it. */
    env: { CADMUS_LIBRARY_DIR: folder },
    /** An entity as another one of the theme is, under another name and, where it says so, in a folder of the theme. */
    add(theme: string, like: string, name: string, below = ''): void {
      const path = `${below}${name}`
      change(`${theme}/${path}`, text => text.replaceAll(like, name), `${theme}/${like}`)
      change(`${theme}/${theme}.manifest`, text => {
        const manifest = JSON.parse(text)
        const entityPath = `${path}.cdm.json/${name}`
        manifest.entities.push({ type: 'LocalEntity', entityName: name, entityPath })
        return JSON.stringify(manifest)
      })
    },
    /** What an entity says of itself from now on. */
    describe(path: string, description: string): void {
      change(path, text => {
        const document = JSON.parse(text)
        document.definitions[0].description = description
        return JSON.stringify(document)
      })
    },
  }
}
