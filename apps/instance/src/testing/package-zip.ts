import type { PackageModel } from '@cadmus/model/api/package-model'
import { aTypeAttribute } from '@cadmus/model/testing/builders'
import { writeArchive } from '@cadmus/formats/archive'
import { deliveryFile } from '@cadmus/formats/package/delivery'
import { packageModelOf } from '@cadmus/formats/package/package-model'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'

type OperationScopes = PackageModel['entities'][number]['operationScopes']

type Given = {
  name?: string
  /** Whose it is, as its id begins. */
  organisation?: string
  /** The uid of its owner; none as in packages of earlier releases. */
  owner?: string
  /** Whether what states no owner is this one's. */
  adopts?: boolean
  version?: string
  /** The manifest that it is built from, by its uid; one and the same unless another is given. */
  manifest?: string
  configuration?: Parameters<typeof aConfiguration>[0]
  /** Of the entity Customer. */
  scopes?: Partial<OperationScopes>
  /** Lines of `package.properties`. */
  properties?: readonly string[]
  stateOnStartup?: string
  /** Customers have a field `remark` more. */
  hasRemark?: boolean
  /** Files beside, or instead of, those that every package has. */
  files?: Readonly<Record<string, string>>
}

/** The files of a package of the shop, as small as a package may be. */
export function packageFiles(given: Given = {}): Map<string, string> {
  const { name = 'shop', organisation = 'acme', version = '1.0.0', stateOnStartup = 'started' } = given
  const source = aPackageSource({ name, version, configuration: aConfiguration(given.configuration) })
  const files = {
    'conf/package.xml': `<package stateOnStartup="${stateOnStartup}" id="${organisation}.${name}" version="${version}" context-path="/${name}"/>`,
    'conf/properties/package.properties': (given.properties ?? ['database.name=embedded', 'database.type=hsql']).join(
      '\n',
    ),
    'resources/cadmus/model.json': JSON.stringify(
      withCustomer(withManifest(packageModelOf(source), given.manifest), given),
    ),
    ...given.files,
  }
  const { owner, adopts = false } = given
  const delivery = owner === undefined ? [] : [deliveryFile(name, { owner, adopts, secrets: false })]
  return new Map([...Object.entries(files).map(([path, text]) => [`${name}/${path}`, text] as const), ...delivery])
}

function withManifest(model: PackageModel, uid = '01980000-0000-7000-8000-000000000001'): PackageModel {
  const manifests = model.manifests.map(manifest => (manifest.id === model.root ? { ...manifest, uid } : manifest))
  return { ...model, manifests }
}

function withCustomer(model: PackageModel, { scopes, hasRemark = false }: Given): PackageModel {
  const more = hasRemark ? [aTypeAttribute({ name: 'remark', nullable: true, position: 90 })] : []
  const entities = model.entities.map(entity => {
    if (entity.name !== 'Customer') return entity
    const operationScopes = { ...entity.operationScopes, ...scopes }
    return { ...entity, operationScopes, typeAttributes: [...entity.typeAttributes, ...more] }
  })
  return { ...model, entities }
}

export function packageZip(given: Given = {}): Uint8Array {
  return writeArchive(packageFiles(given))
}
