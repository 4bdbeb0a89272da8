import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { afterAll } from 'vitest'

/** A copy of the library that a test file may change; deleted after its last test. */
export function copyLibrary() {
  const folder = temporaryFolder('library')
  afterAll(() => removeFolder(folder))
  cpSync(fileURLToPath(new URL('../../library/', import.meta.url)), folder, { recursive: true })
  const fileOf = (path: string) => join(folder, `${path}.cdm.json`)
  function change(path: string, by: (text: string) => string, from = path): void {
    mkdirSync(dirname(fileOf(path)), { recursive: true })
    writeFileSync(fileOf(path), by(readFileSync(fileOf(from), 'utf8')))
  }
  return {
    /** Environment of the console. */
    env: { CADMUS_LIBRARY_DIR: folder },
    /** Copies an entity of the theme under another name, optionally into a folder of the theme. */
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
    /** Changes the description of an entity. */
    describe(path: string, description: string): void {
      change(path, text => {
        const document = JSON.parse(text)
        document.definitions[0].description = description
        return JSON.stringify(document)
      })
    },
  }
}
