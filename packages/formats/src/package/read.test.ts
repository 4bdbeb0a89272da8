import { isRecord } from '@cadmus/model/equal'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { writeArchive } from '../archive.ts'
import { ImportError } from '../import-error.ts'
import { aPackageSource } from '../testing/built-packages.ts'
import { packageModelOf } from './package-model.ts'
import { readPackages } from './read.ts'

const packageXml = `<?xml version="1.0"?>
<!-- as the platform's users publish them -->
<package stateOnStartup="started" id="acme.sales" version="1.0.3" context-path="/sales">
  <package-dependencies>
    <package-dependency required-state-on-start="loaded" name="base" id="acme.base" version="2.0.0"/>
  </package-dependencies>
  <startup-services><startup-service>gloop:sales.config.Setup/sales.config.Setup</startup-service></startup-services>
  <shutdown-services/>
</package>`
const properties =
  'database.name = shop\npostgres.password=${database.password}\ncolour=caf\\u00E9 \\\n   au lait\n# none\n'
const model = packageModelOf(aPackageSource())

function aPackage(overrides: Readonly<Record<string, string | undefined>> = {}): Map<string, string> {
  const files: Record<string, string | undefined> = {
    'sales/conf/package.xml': packageXml,
    'sales/conf/properties/package.properties': properties,
    'sales/resources/cadmus/model.json': JSON.stringify(model),
    'sales/code/sales/config/Setup.gloop': '{}',
    ...overrides,
  }
  return new Map(Object.entries(files).flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])))
}

describe('reading packages from a zip', () => {
  it('a delivery file of a later release is refused with both formats', () => {
    const zip = writeArchive(aPackage({ 'sales/resources/cadmus/delivery.json': '{"format":7}' }))
    expect(() => readPackages(zip)).toThrow(
      "The resources/cadmus/delivery.json of 'sales' cannot be read: its format is 7, and this release reads formats up to 1.",
    )
  })

  it('readPackages refuses models without valid tables, with the reasons', () => {
    const refusal = (changed: object) => {
      const json = JSON.stringify({ ...model, ...changed })
      const zip = writeArchive(aPackage({ 'sales/resources/cadmus/model.json': json }))
      try {
        readPackages(zip)
        return 'read'
      } catch (error) {
        return error instanceof ImportError ? error.message : String(error)
      }
    }
    const [first, ...others] = model.entities
    const [attribute] = first?.typeAttributes ?? []
    const sameName = { ...first, id: 999, uid: '01980000-0000-7000-8000-000000000999', path: 'Elsewhere/Customer' }
    const members = model.manifests.map(manifest => ({
      ...manifest,
      entities: [...manifest.entities, { id: 999, type: 'EXCLUSIVE' }],
    }))
    expect([
      refusal({ root: 777 }),
      refusal({ entities: [...model.entities, sameName], manifests: members }),
      refusal({ entities: [{ ...first, typeAttributes: Array(100_000).fill(attribute) }, ...others] }),
    ]).toEqual([
      "The resources/cadmus/model.json of 'sales' lacks its root manifest.",
      expect.stringMatching(/cannot be served\. Two entities named 'Customer' cannot be one table/),
      'An entity of \'sales\', "Customer", has more than 5001 attributes.',
    ])
  })

  it('readPackages reads package.xml, properties and model, and takes the name from the folder', () => {
    const [read, ...others] = readPackages(writeArchive(aPackage()))
    expect(others).toEqual([])
    expect(read).toMatchObject({
      name: 'sales',
      id: 'acme.sales',
      version: '1.0.3',
      contextPath: '/sales',
      stateOnStartup: 'started',
      dependencies: [{ requiredStateOnStart: 'loaded', name: 'base', id: 'acme.base', version: '2.0.0' }],
      startupServices: ['gloop:sales.config.Setup/sales.config.Setup'],
      model: { ...model, package: 'sales', version: '1.0.3' },
    })
    expect([...(read?.properties ?? [])]).toEqual([
      ['database.name', 'shop'],
      ['postgres.password', '${database.password}'],
      ['colour', 'café au lait'],
    ])
    expect([...(read?.files.keys() ?? [])].toSorted()).toEqual([
      'code/sales/config/Setup.gloop',
      'conf/package.xml',
      'conf/properties/package.properties',
      'resources/cadmus/model.json',
    ])
    expect(new TextDecoder().decode(bytesOf(read?.files.get('code/sales/config/Setup.gloop')))).toBe('{}')
    expect(read?.files.get('../sales/conf/package.xml')).toBeUndefined()
  })

  it('readPackages reads several packages by name and ignores operating system files', () => {
    const both = new Map([
      ...aPackage(),
      ...[...aPackage()].map(([path, text]) => [path.replace('sales/', 'a-b_1/'), text] as const),
      ['__MACOSX/sales/._conf', 'x'],
      ['sales/.DS_Store', 'x'],
    ])
    const read = readPackages(writeArchive(both))
    expect(read.map(({ name }) => name)).toEqual(['a-b_1', 'sales'])
    expect(read[1]?.files.size).toBe(4)
  })

  it.each([
    ['content that is not a zip', new Uint8Array([1, 2, 3]), 'zip-broken'],
    ['an empty zip', writeArchive(new Map()), 'not-a-package'],
    ['a file at the top level', zipOf({ 'readme.md': 'x' }), 'not-a-package'],
    ['a folder of another name', zipOf({ 'a b/conf/package.xml': packageXml }), 'not-a-package'],
    ['a missing package.xml', zipOf({ 'sales/conf/package.xml': undefined }), 'not-a-package'],
    ['a missing model', zipOf({ 'sales/resources/cadmus/model.json': undefined }), 'not-a-package'],
    ['missing properties', zipOf({ 'sales/conf/properties/package.properties': undefined }), 'not-a-package'],
    ['another root element', zipOf({ 'sales/conf/package.xml': '<packages version="1.0.0"/>' }), 'not-a-package'],
    ['a missing version', zipOf({ 'sales/conf/package.xml': '<package/>' }), 'not-a-package'],
    ['an invalid version', zipOf({ 'sales/conf/package.xml': '<package version="1"/>' }), 'not-a-package'],
    ['an unknown state', zipOf({ 'sales/conf/package.xml': packageXml.replace('started', 'away') }), 'not-a-package'],
    ['invalid XML', zipOf({ 'sales/conf/package.xml': '<package' }), 'not-xml'],
    [
      'a document type',
      zipOf({ 'sales/conf/package.xml': `<!DOCTYPE package [<!ENTITY a "b">]>${packageXml.slice(21)}` }),
      'not-xml',
    ],
    ['a custom entity', zipOf({ 'sales/conf/package.xml': packageXml.replace('acme.sales', '&a;') }), 'not-xml'],
    ['invalid JSON', zipOf({ 'sales/resources/cadmus/model.json': '{' }), 'not-json'],
    ['deeply nested JSON', zipOf({ 'sales/resources/cadmus/model.json': '['.repeat(200) }), 'too-deep'],
    ['an invalid model', zipOf({ 'sales/resources/cadmus/model.json': '{"format":1}' }), 'not-a-package'],
    ['a model of a later format', zipOf({ 'sales/resources/cadmus/model.json': '{"format":9}' }), 'not-a-package'],
    ['invalid UTF-8', zipWith('sales/conf/package.xml', new Uint8Array([0xff, 0xfe, 0x41])), 'not-text'],
    ['a path that leaves its folder', zipWith('sales/../../etc/passwd', new Uint8Array()), 'zip-path'],
    ['an absolute path', zipWith('/etc/passwd', new Uint8Array()), 'zip-path'],
    ['a symbolic link', linked('sales/conf/link'), 'zip-link'],
    ['a zip bomb', zipWith('sales/bomb', new Uint8Array(64 * 1024 * 1024)), 'zip-ratio'],
  ])('readPackages refuses %s with a reason', (_what, bytes, code) => {
    const error = caught(() => readPackages(bytes))
    expect(error).toBeInstanceOf(ImportError)
    expect(isRecord(error) || error instanceof ImportError ? Reflect.get(error, 'code') : '').toBe(code)
  })

  it('readPackages limits the number of entries and the unpacked size', () => {
    const bytes = writeArchive(aPackage())
    expect(() => readPackages(bytes, { entries: 3, unpacked: 1e9, ratio: 200 })).toThrow('at most 3')
    expect(() => readPackages(bytes, { entries: 9, unpacked: 100, ratio: 200 })).toThrow('unpacks to')
  })
})

function zipOf(overrides: Readonly<Record<string, string | undefined>>): Uint8Array {
  return writeArchive(aPackage(overrides))
}

function zipWith(path: string, content: Uint8Array): Uint8Array {
  const files: Record<string, Uint8Array> = { [path]: content }
  for (const [name, text] of aPackage()) files[name] ??= new TextEncoder().encode(text)
  return zipSync(files)
}

function linked(path: string): Uint8Array {
  return zipSync({ [path]: [new TextEncoder().encode('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }] })
}

function bytesOf(content: Uint8Array | string | undefined): Uint8Array {
  return content instanceof Uint8Array ? content : new TextEncoder().encode(content ?? '')
}

function caught(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
