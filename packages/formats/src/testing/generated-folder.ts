import { writeArchive } from '../archive.ts'

/**
 * A zip with a generated CDM folder: one manifest with the given number of entities and attributes each; every tenth
 * entity has a relationship. Deterministic.
 */
export function generatedFolder(entities: number, attributes: number, name = 'MadeUp'): Uint8Array {
  const files = new Map<string, string>()
  const declared = []
  for (let index = 0; index < entities; index++) {
    const entityName = `Entity${index}`
    const path = `part${Math.floor(index / 500)}/${entityName}.cdm.json`
    declared.push({ entityName, entityPath: `${path}/${entityName}` })
    files.set(path, JSON.stringify({ definitions: [{ entityName, hasAttributes: attributesOf(index, attributes) }] }))
  }
  files.set('made-up.manifest.cdm.json', JSON.stringify({ manifestName: name, entities: declared, subManifests: [] }))
  return writeArchive(files)
}

function attributesOf(entity: number, count: number): object[] {
  const key = { name: `entity${entity}Id`, purpose: 'identifiedBy', dataType: 'guid' }
  const others = Array.from({ length: count - 1 }, (_, index) => ({
    name: `value${index}`,
    dataType: ['string', 'integer', 'dateTime', 'boolean'][index % 4],
    description: `What value ${index} of entity ${entity} says.`,
    maximumLength: 100,
  }))
  return [key, ...others]
}
