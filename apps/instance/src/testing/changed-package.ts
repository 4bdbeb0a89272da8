import { writeArchive } from '@cadmus/formats/archive'
import { type PackageModel, packageModelForm } from '@cadmus/model/api/package-model'
import { readStored } from '@cadmus/model/stored/stored-form'
import type { TypeAttribute } from '@cadmus/model/type-attribute'

/** A package with a changed model and version. */
export function zipFrom(
  files: ReadonlyMap<string, string>,
  version: string,
  change: (model: PackageModel) => PackageModel = model => model,
): Uint8Array {
  const path = 'shop/resources/cadmus/model.json'
  const model = readStored(packageModelForm, JSON.parse(files.get(path) ?? ''))
  const xml = (files.get('shop/conf/package.xml') ?? '').replace('version="1.0.0"', `version="${version}"`)
  const own = [
    [path, JSON.stringify({ ...change(model), version })],
    ['shop/conf/package.xml', xml],
  ] as const
  return writeArchive(new Map([...files, ...own]))
}

/** Changes or removes an attribute of Customer. */
export function changed(
  model: PackageModel,
  name: string,
  change: (attribute: TypeAttribute) => TypeAttribute | null,
): PackageModel {
  const entities = model.entities.map(entity => {
    if (entity.name !== 'Customer') return entity
    const typeAttributes = entity.typeAttributes.flatMap(one => (one.name === name ? (change(one) ?? []) : [one]))
    return { ...entity, typeAttributes }
  })
  return { ...model, entities }
}

/** Adds an attribute to Customer. */
export function added(model: PackageModel, attribute: TypeAttribute): PackageModel {
  const entities = model.entities.map(entity =>
    entity.name === 'Customer'
      ? { ...entity, typeAttributes: [...entity.typeAttributes, { ...attribute, position: 90 }] }
      : entity,
  )
  return { ...model, entities }
}
