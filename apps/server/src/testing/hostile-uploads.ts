import { writeArchive } from '@cadmus/formats/archive'
import { crc32, deflateRawSync } from 'node:zlib'

export const boundary = 'hostile-boundary'
export const rootName = 'odd.manifest.cdm.json'
export const foundations = [{ corpusPath: 'cdm:/foundations.cdm.json' }]

export const zeros = Buffer.alloc(250 * 1024 * 1024)

type Part = { head: string; body: string }

export function field(name: string, value: string): Part {
  return { head: `Content-Disposition: form-data; name="${name}"`, body: value }
}

export function jsonField(name: string, value: string): Part {
  return { head: `Content-Disposition: form-data; name="${name}"\r\nContent-Type: application/json`, body: value }
}

export function file(part: string, name: string, content: string | Uint8Array = 'PK'): Part {
  const head = `Content-Disposition: form-data; name="${part}"; filename="${name}"\r\nContent-Type: application/zip`
  return { head, body: typeof content === 'string' ? content : Buffer.from(content).toString('latin1') }
}

export function form(parts: readonly Part[]): string {
  return `${parts.map(({ head, body }) => `--${boundary}\r\n${head}\r\n\r\n${body}\r\n`).join('')}--${boundary}--\r\n`
}

export function manifestText(entities: string[] = [], more: object = {}): string {
  return JSON.stringify({
    manifestName: 'odd',
    imports: foundations,
    entities: entities.map(name => ({ type: 'LocalEntity', entityName: name, entityPath: `${name}.cdm.json/${name}` })),
    subManifests: [],
    relationships: [],
    ...more,
  })
}

/** A folder with one document for each entity; `more` overrides the entity's definition. */
export function folder(entities: Record<string, object>): Uint8Array {
  const documents = Object.entries(entities).map(([name, more]): [string, string] => [
    `${name}.cdm.json`,
    JSON.stringify({
      imports: foundations,
      definitions: [
        {
          entityName: name,
          hasAttributes: [{ name: `${name}Id`, purpose: 'identifiedBy', dataType: 'entityId' }],
          ...more,
        },
      ],
    }),
  ])
  const listed = Object.entries(entities).map(([name, more]) => ({
    type: 'LocalEntity',
    entityName: 'entityName' in more ? more.entityName : name,
    entityPath: `${name}.cdm.json/${'entityName' in more ? String(more.entityName) : name}`,
  }))
  return writeArchive(new Map([[rootName, manifestText([], { entities: listed })], ...documents]))
}

export const oneEntity = JSON.stringify({
  imports: foundations,
  definitions: [
    { entityName: 'One', hasAttributes: [{ name: 'oneId', purpose: 'identifiedBy', dataType: 'entityId' }] },
  ],
})

export function good(): Uint8Array {
  return folder({ Alpha: {}, Beta: {} })
}

export function large(count: number): Uint8Array {
  const attributes = Array.from({ length: 30 }, (_, index) => ({ name: `attribute${index}`, dataType: 'string' }))
  return folder(
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`Large${index}`, { hasAttributes: attributes }])),
  )
}

type Entry = {
  name: string
  content?: string | Buffer
  mode?: number
  size?: number
  packedSize?: number
  crc?: number
  flags?: number
  method?: number
}

/** A zip with invalid metadata. */
export function zip(...entries: Entry[]): Uint8Array {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, content = '{}', mode = 0o100644, flags = 0, method = 8, ...lies } of entries) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const packed = packedOf(bytes)
    const path = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(lies.crc ?? crc32(bytes), 10)
    common.writeUInt32LE(lies.packedSize ?? packed.length, 14)
    common.writeUInt32LE(lies.size ?? bytes.length, 18)
    common.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), common, path, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE((mode << 16) >>> 0, 6)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('504b01021e03', 'hex'), common, tail, path]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('504b0506', 'hex')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...locals, directory, end]))
}

let packedZeros: Buffer | undefined
function packedOf(bytes: Buffer): Buffer {
  if (bytes !== zeros) return deflateRawSync(bytes)
  packedZeros ??= deflateRawSync(zeros, { level: 1 })
  return packedZeros
}
