import type { PackageModel } from '@cadmus/model/api/package-model'
import { aTypeAttribute } from '@cadmus/model/testing/builders'
import { writeArchive } from '@cadmus/formats/archive'
import { deliveryFile } from '@cadmus/formats/package/delivery'
import { packageModelOf } from '@cadmus/formats/package/package-model'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'

type OperationScopes = PackageModel['entities'][number]['operationScopes']

type ZipOptions = {
  name?: string
  /** The organisation part of the id. */
  organisation?: string
  /** Owner's uid; omitted as in earlier releases. */
  owner?: string
  /** Whether the owner adopts packages without an owner. */
  adopts?: boolean
  version?: string
  /** Manifest's uid; constant by default. */
  manifest?: string
  configuration?: Parameters<typeof aConfiguration>[0]
  /** Scopes of the entity Customer. */
  scopes?: Partial<OperationScopes>
  /** Lines of `package.properties`. */
  properties?: readonly string[]
  stateOnStartup?: string
  /** Adds a field `remark` to Customer. */
  hasRemark?: boolean
  /** Additional or replacing files. */
  files?: Readonly<Record<string, string>>
}

/** The files of a minimal package. */
export function packageFiles(options: ZipOptions = {}): Map<string, string> {
  const { name = 'shop', organisation = 'acme', version = '1.0.0', stateOnStartup = 'started' } = options
  const source = aPackageSource({ name, version, configuration: aConfiguration(options.configuration) })
  const files = {
    'conf/package.xml': `<package stateOnStartup="${stateOnStartup}" id="${organisation}.${name}" version="${version}" context-path="/${name}"/>`,
    'conf/properties/package.properties': (options.properties ?? ['database.name=embedded', 'database.type=hsql']).join(
      '\n',
    ),
    'resources/cadmus/model.json': JSON.stringify(
      withCustomer(withManifest(packageModelOf(source), options.manifest), options),
    ),
    ...options.files,
  }
  const { owner, adopts = false } = options
  const delivery = owner === undefined ? [] : [deliveryFile(name, { owner, adopts, secrets: false })]
  return new Map([...Object.entries(files).map(([path, text]) => [`${name}/${path}`, text] as const), ...delivery])
}

function withManifest(model: PackageModel, uid = '01980000-0000-7000-8000-000000000001'): PackageModel {
  const manifests = model.manifests.map(manifest => (manifest.id === model.root ? { ...manifest, uid } : manifest))
  return { ...model, manifests }
}

function withCustomer(model: PackageModel, { scopes, hasRemark = false }: ZipOptions): PackageModel {
  const more = hasRemark ? [aTypeAttribute({ name: 'remark', nullable: true, position: 90 })] : []
  const entities = model.entities.map(entity => {
    if (entity.name !== 'Customer') return entity
    const operationScopes = { ...entity.operationScopes, ...scopes }
    return { ...entity, operationScopes, typeAttributes: [...entity.typeAttributes, ...more] }
  })
  return { ...model, entities }
}

export function packageZip(options: ZipOptions = {}): Uint8Array {
  return writeArchive(packageFiles(options))
}
