import * as z from 'zod'
import { writeArchive, readArchive, type Files } from '../archive.ts'
import { ImportError } from '../import-error.ts'
import { passwordPlaceholder, placeholderFor } from './package-properties.ts'
import { readProperties, writeProperties } from './properties.ts'

export type PackageSecrets = {
  readonly password: string
  /** Of custom properties that are secrets, by name. */
  readonly properties: ReadonlyMap<string, string>
}

/** What a zip says of its sender. Zips of earlier releases say nothing. */
export type Delivery = {
  /** The permanent uid of the organisation, which no other has; null: not stated. */
  readonly owner: string | null
  /** Whether a package or tables of the same id that state no owner are this owner's. */
  readonly adopts: boolean
  /** Whether the secrets are in their places: then no value is a placeholder, whatever it looks like. */
  readonly secrets: boolean
}

export const anonymousDelivery: Delivery = { owner: null, adopts: false, secrets: false }

/** Beside the build, whose bytes depend on nothing but the model. */
export const deliveryPath = 'resources/cadmus/delivery.json'

const deliveryFormat = 1
const deliverySchema = z.object({
  format: z.literal(deliveryFormat),
  owner: z.string().min(1).max(100).nullable(),
  adopts: z.boolean(),
  secrets: z.boolean(),
})

const propertiesPath = 'conf/properties/package.properties'

/**
 * A stored zip for an instance or a download: with its owner, and its secrets in their places where they are given. What is made here
 * with secrets is never to be stored.
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

/** What says it in the zip of a package, by its path. */
export function deliveryFile(packageName: string, { owner, adopts, secrets }: Delivery): [path: string, text: string] {
  const delivery = { format: deliveryFormat, owner, adopts, secrets }
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

/** Whether the password of a package's database is one that its sender left out. */
export function isPasswordLeftOut(password: string, { secrets }: Delivery): boolean {
  return !secrets && password === passwordPlaceholder
}

/** What the files of a package, by their paths below its folder, say of its sender. Throws ImportError with the package's name. */
export function readDelivery(files: Files, name: string): Delivery {
  const content = files.get(deliveryPath)
  if (content === undefined) return anonymousDelivery
  const read = content.length > 1000 ? undefined : deliverySchema.safeParse(jsonOf(textOf(content)))
  if (read?.success !== true) {
    throw new ImportError('not-a-package', `The ${deliveryPath} of '${name}' cannot be read.`)
  }
  const { owner, adopts, secrets } = read.data
  return { owner, adopts, secrets }
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
