import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeArchive } from '@cadmus/formats/archive'

const DATA = fileURLToPath(new URL('../data/clinic/', import.meta.url))
const ZIPS = fileURLToPath(new URL('../../../shared/cdm/zips/', import.meta.url))

/** The CDM test folder of the journeys as a zip. */
export function cdmFolder(): { name: string; bytes: Uint8Array } {
  const files = readdirSync(DATA, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.cdm.json'))
  const content = files.map(path => [path, readFileSync(join(DATA, path))] as const)
  return { name: 'clinic.zip', bytes: writeArchive(new Map(content)) }
}

/** One of Microsoft's archives; null if the folder beside the repository does not contain it. */
export function cdmZip(file: string): Uint8Array | null {
  const path = join(ZIPS, file)
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : null
}

/** A CDM folder with names of 120 characters and long texts with and without spaces. */
export function longFolder(): { files: Map<string, string>; manifest: string; entity: string; attribute: string } {
  const manifest = 'manifestWithAVeryLongName'.padEnd(120, 'Indeed')
  const entity = 'EntityWithAVeryLongName'.padEnd(120, 'Indeed')
  const attribute = 'attribute_with_a_very_long_name'.padEnd(120, '_indeed')
  const imports = [{ corpusPath: 'cdm:/foundations.cdm.json' }]
  const key = { name: 'longId', purpose: 'identifiedBy', dataType: 'integer', isNullable: false }
  const long = {
    name: attribute,
    purpose: 'hasA',
    dataType: 'string',
    isNullable: true,
    description: 'Word '.repeat(400),
  }
  const description = `${'Sentence of a description. '.repeat(40)}${'Unbroken'.repeat(60)}`
  const definition = { entityName: entity, extendsEntity: 'CdmEntity', description, hasAttributes: [key, long] }
  const list = [{ type: 'LocalEntity', entityName: entity, entityPath: `Long.cdm.json/${entity}` }]
  const files = new Map([
    ['Long.cdm.json', JSON.stringify({ jsonSchemaSemanticVersion: '1.0.0', imports, definitions: [definition] })],
    [
      'long.manifest.cdm.json',
      JSON.stringify({ jsonSchemaSemanticVersion: '1.0.0', manifestName: manifest, imports, entities: list }),
    ],
  ])
  return { files, manifest, entity, attribute }
}
