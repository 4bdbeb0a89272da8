import { identifierOf } from '../data-model/format.ts'
import { ImportError } from '../import-error.ts'
import { readXml, type XmlElement, XmlError, xmlText } from '../xml.ts'

const packageStates = ['started', 'loaded', 'unloaded'] as const
type PackageState = (typeof packageStates)[number]

/** Contents of `conf/package.xml`. */
export type PackageAttributes = {
  readonly id: string
  readonly version: string
  readonly contextPath: string
  /** Target state of the package after the instance starts. */
  readonly stateOnStartup: PackageState
  readonly dependencies: readonly PackageDependency[]
  readonly startupServices: readonly string[]
}

type PackageDependency = {
  readonly name: string
  readonly id: string
  readonly version: string
  readonly requiredStateOnStart: string
}

export function writePackageXml(attributes: PackageAttributes): string {
  const { id, version, contextPath, stateOnStartup, startupServices } = attributes
  const dependencies = attributes.dependencies.map(
    one =>
      `    <package-dependency required-state-on-start="${xmlText(one.requiredStateOnStart)}" name="${xmlText(one.name)}" id="${xmlText(one.id)}" version="${xmlText(one.version)}"/>`,
  )
  const services = startupServices.map(service => `    <startup-service>${xmlText(service)}</startup-service>`)
  const lines = [
    `<package stateOnStartup="${stateOnStartup}" id="${xmlText(id)}" version="${xmlText(version)}" context-path="${xmlText(contextPath)}">`,
    ...listOf('package-dependencies', dependencies),
    ...listOf('startup-services', services),
    '  <shutdown-services/>',
    '</package>',
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join('\n')}\n`
}

function listOf(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [`  <${name}/>`] : [`  <${name}>`, ...lines, `  </${name}>`]
}

/** Parses package.xml; the default state is `loaded`. Throws ImportError that names the package. */
export function readPackageXml(text: string, name: string): PackageAttributes {
  const root = rootOf(text, name)
  const state = root.attributes.get('stateOnStartup')?.toLowerCase() ?? 'loaded'
  const stateOnStartup = packageStates.find(one => one === state)
  if (root.name !== 'package') throw refused(name, `is a '${root.name.slice(0, 40)}', not a 'package'`)
  if (stateOnStartup === undefined) {
    throw refused(name, `has the stateOnStartup '${state.slice(0, 40)}'; started, loaded and unloaded are valid`)
  }
  const version = root.attributes.get('version') ?? ''
  if (version === '') throw refused(name, 'has no version')
  return {
    id: root.attributes.get('id') ?? name,
    version,
    contextPath: root.attributes.get('context-path') ?? `/${name}`,
    stateOnStartup,
    dependencies: itemsOf(root, 'package-dependencies').map(({ attributes }) => ({
      name: attributes.get('name') ?? '',
      id: attributes.get('id') ?? '',
      version: attributes.get('version') ?? '',
      requiredStateOnStart: attributes.get('required-state-on-start') ?? '',
    })),
    startupServices: itemsOf(root, 'startup-services').map(({ text: service }) => service.trim()),
  }
}

function rootOf(text: string, name: string): XmlElement {
  try {
    return readXml(text, { depth: 10, elements: 10_000, attributes: 100 })
  } catch (error) {
    if (error instanceof XmlError) throw new ImportError('not-xml', read(name, `cannot be read: ${error.message}`))
    throw error
  }
}

function itemsOf(root: XmlElement, list: string): readonly XmlElement[] {
  return root.children.find(child => child.name === list)?.children ?? []
}

function refused(name: string, why: string): ImportError {
  return new ImportError('not-a-package', read(name, `${why}.`))
}

function read(name: string, why: string): string {
  return `The package.xml of '${name}' ${why}`
}

/** The visible package id. Different organisations may use the same id; the owner's uid is authoritative. */
export function packageId(organisation: string, namespace: string): string {
  return `${identifierOf(organisation).toLowerCase()}.${namespace}`
}
