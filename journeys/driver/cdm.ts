import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeArchive } from '@cadmus/formats/archive'

const DATA = fileURLToPath(new URL('../data/', import.meta.url))
const ZIPS = fileURLToPath(new URL('../../../shared/cdm/zips/', import.meta.url))

/** The CDM folder written for the journeys, as the zip that a person would choose. */
export function cdmFolder(): { name: string; bytes: Uint8Array } {
  const files = readdirSync(DATA, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.cdm.json'))
  const content = files.map(path => [path, readFileSync(join(DATA, path))] as const)
  return { name: 'lending.zip', bytes: writeArchive(new Map(content)) }
}

/** One of Microsoft's archives, where the folder beside the repository has it. */
export function cdmZip(file: string): Uint8Array | null {
  const path = join(ZIPS, file)
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : null
}
