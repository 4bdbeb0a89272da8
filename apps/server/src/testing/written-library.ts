import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes a library of one manifest, `plant`, with these entities. */
export function writeLibrary(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const key = { name: `${name.toLowerCase()}Id`, dataType: 'entityId', purpose: 'identifiedBy' }
    const definitions = [{ entityName: name, hasAttributes: [key] }]
    writeFileSync(join(folder, `${name}.cdm.json`), JSON.stringify({ jsonSchemaSemanticVersion: '1.1.0', definitions }))
  }
  const entities = names.map(name => ({
    type: 'LocalEntity',
    entityName: name,
    entityPath: `${name}.cdm.json/${name}`,
  }))
  writeFileSync(join(folder, 'plant.manifest.cdm.json'), JSON.stringify({ manifestName: 'plant', entities }))
}
