import { numbered, readStored, StoredFormError, type StoredForm } from '@cadmus/model/stored/stored-form'
import * as z from 'zod'
import { writeArchive, readArchive, type Files } from '../archive.ts'
import { ImportError } from '../import-error.ts'
import { passwordPlaceholder, placeholderFor, readProperties, writeProperties } from './properties.ts'

export type PackageSecrets = {
  readonly password: string
  readonly properties: ReadonlyMap<string, string>
}

/** Information about the sender in a zip; absent in zips of earlier releases. */
export type Delivery = {
  /** Permanent uid of the organisation; null if not stated. */
  readonly owner: string | null
  /** Whether this owner may take over an existing package, or tables, with the same id and no owner. */
  readonly adopts: boolean
  /** True if the zip contains the actual secrets, so that no value is treated as a placeholder. */
  readonly secrets: boolean
}

export const anonymousDelivery: Delivery = { owner: null, adopts: false, secrets: false }

/** Separate from the build, whose bytes depend only on the model. */
export const deliveryPath = 'resources/cadmus/delivery.json'

export const deliveryForm: StoredForm<Delivery> = {
  name: 'package delivery',
  format: 1,
  schema: z.object({
    owner: z.string().min(1).max(100).nullable(),
    adopts: z.boolean(),
    secrets: z.boolean(),
  }),
  upgrades: {},
}

const propertiesPath = 'conf/properties/package.properties'

/**
 * Adds owner and, if given, secrets to a stored zip, for an instance or a download. The result must not be stored if
 * it contains secrets.
 */
export function deliver(
  zip: Uint8Array,
  { owner, adopts }: Pick<Delivery, 'owner' | 'adopts'>,
  secrets: PackageSecrets | null,
): Uint8Array {
  const archive = readArchive(zip)
  if (secrets === null && [...archive.keys()].some(path => path.endsWith(`/${deliveryPath}`))) return zip
  const files = new Map<string, Uint8Array | string>()
  for (const path of archive.keys()) {
    const content = archive.get(path)
    if (content === undefined) continue
    const [folder = ''] = path.split('/', 1)
    const isProperties = path === `${folder}/${propertiesPath}`
    if (path.endsWith(`/${deliveryPath}`)) continue
    files.set(path, isProperties && secrets !== null ? withSecrets(textOf(content), secrets) : content)
    if (isProperties) {
      files.set(...deliveryFile(folder, { owner, adopts, secrets: secrets !== null }))
    }
  }
  return writeArchive(files)
}

/** Path and text of the delivery file in a package's zip. */
export function deliveryFile(packageName: string, { owner, adopts, secrets }: Delivery): [path: string, text: string] {
  const delivery = numbered(deliveryForm, { owner, adopts, secrets })
  return [`${packageName}/${deliveryPath}`, `${JSON.stringify(delivery)}\n`]
}

function withSecrets(text: string, { password, properties }: PackageSecrets): string {
  const stored = readProperties(text)
  const passwordName = `${stored.get('database.type') ?? ''}.password`
  const filled = [...stored].map(([name, value]): [string, string] => {
    if (name === passwordName) return [name, password]
    return [name, value === placeholderFor(name) ? (properties.get(name) ?? value) : value]
  })
  return writeProperties(filled)
}

/** Whether the database password is a placeholder because the sender omitted it. */
export function isPasswordLeftOut(password: string, { secrets }: Delivery): boolean {
  return !secrets && password === passwordPlaceholder
}

/**
 * Reads the delivery file of a package. `files`: by path below the package's folder. Throws ImportError that names
 * the package.
 */
export function readDelivery(files: Files, name: string): Delivery {
  const content = files.get(deliveryPath)
  if (content === undefined) return anonymousDelivery
  try {
    return readStored(deliveryForm, content.length > 1000 ? undefined : jsonOf(textOf(content)))
  } catch (error) {
    if (!(error instanceof StoredFormError)) throw error
    throw new ImportError('not-a-package', `The ${deliveryPath} of '${name}' cannot be read: ${error.reason}.`)
  }
}

function textOf(content: Uint8Array | string): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content)
}

function jsonOf(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return json
  } catch {
    return undefined
  }
}
