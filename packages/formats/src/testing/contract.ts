import {
  ContractNames,
  folderOfFile,
  list,
  located,
  nameIn,
  object,
  text,
  type ContractDocument,
  type Json,
} from './contract-names.ts'
import { attributeBreaches, type DefinedNames } from './contract-attributes.ts'

// Test helper: checks files against every rule of the contract for exported CDM folders, independent of the writer.

type Folder = {
  breaches: string[]
  json: Map<string, Json>
  manifests: Map<string, Json>
  documents: Map<string, ContractDocument>
  names: ContractNames
}

/** Violations of the contract, one per line. Files that are not CDM documents are ignored. */
export function contractBreaches(files: ReadonlyMap<string, string>, defined: DefinedNames): string[] {
  const folder = loaded(files)
  const breach = (where: string, what: string) => void folder.breaches.push(`${where}: ${what}`)
  checkLayout(folder, breach)
  for (const [path, json] of folder.manifests) checkManifest(path, json, folder, breach)
  for (const document of folder.documents.values()) checkDocument(document, folder, breach)
  folder.breaches.push(...attributeBreaches([...folder.documents.values()], folder.names, defined))
  checkRelationships(folder, breach)
  return folder.breaches
}

type Breach = (where: string, what: string) => void

const manifestEnding = '.manifest.cdm.json'
const foundations = 'cdm:/foundations.cdm.json'

function loaded(files: ReadonlyMap<string, string>): Folder {
  const breaches: string[] = []
  const json = new Map<string, Json>()
  for (const [path, content] of files) {
    if (!path.endsWith('.cdm.json')) continue
    if (content.startsWith('\uFEFF')) breaches.push(`${path}: it starts with a byte-order mark`)
    json.set(path, object(JSON.parse(content)))
  }
  const manifests = new Map([...json].filter(([path]) => path.endsWith(manifestEnding)))
  const entities = [...json].filter(([path]) => !path.endsWith(manifestEnding))
  const documents = new Map(
    entities.map(([path, document]): [string, ContractDocument] => {
      const definitions = list(document['definitions']).map(object)
      if (definitions.length !== 1) breaches.push(`${path}: it holds ${definitions.length} definitions`)
      const imports = list(document['imports']).map(object)
      return [
        path,
        {
          path,
          entity: definitions[0] ?? {},
          imports: imports.map(item => ({
            path: located(text(item['corpusPath']), folderOfFile(path)),
            moniker: item['moniker'] === undefined ? undefined : text(item['moniker']),
          })),
        },
      ]
    }),
  )
  return { breaches, json, manifests, documents, names: new ContractNames(documents) }
}

function checkLayout({ json, manifests, documents }: Folder, breach: Breach): void {
  const top = [...manifests.keys()].filter(path => !path.includes('/'))
  if (top.length !== 1) breach('/', `${top.length} manifests stand at the top`)
  const reached = new Set(top)
  for (const path of reached)
    for (const sub of list(manifests.get(path)?.['subManifests']).map(object))
      reached.add(located(text(sub['definition']), folderOfFile(path)))
  for (const path of manifests.keys()) if (!reached.has(path)) breach(path, 'no manifest lists it')
  for (const path of reached) if (!manifests.has(path)) breach(path, 'it is listed, but not there')
  const folded = Map.groupBy(json.keys(), path => path.toLowerCase())
  for (const [path, all] of folded) if (all.length > 1) breach(path, 'two files differ only in case')
  for (const document of documents.values()) {
    const file = document.path.slice(document.path.lastIndexOf('/') + 1)
    if (file !== `${nameIn(document)}.cdm.json`) breach(document.path, `it defines ${nameIn(document)}`)
  }
  for (const [path, content] of json) checkValues(path, content, breach)
}

const pathKeys = new Set(['corpusPath', 'entityPath', 'definition', 'fromEntity', 'toEntity'])

/** No nulls, no paths upwards, no alternative spellings of list properties. */
function checkValues(path: string, value: unknown, breach: Breach, key = ''): void {
  if (value === null) breach(path, `${key} is null`)
  if (key === 'submanifests') breach(path, 'submanifests is silently ignored')
  if (pathKeys.has(key) && /(?:^|\/)\.{1,2}\//.test(text(value))) breach(path, `${text(value)} leads upwards`)
  if (pathKeys.has(key) && text(value) === '') breach(path, `${key} is no path`)
  if (Array.isArray(value)) for (const item of value) checkValues(path, item, breach)
  else if (typeof value === 'object')
    for (const [name, item] of Object.entries(object(value))) checkValues(path, item, breach, name)
}

function checkManifest(path: string, json: Json, { documents, manifests }: Folder, breach: Breach): void {
  if (json['jsonSchemaSemanticVersion'] !== '1.0.0') breach(path, 'its format is not 1.0.0')
  if (text(json['manifestName']) === '') breach(path, 'it has no name')
  if (!list(json['imports']).some(item => object(item)['corpusPath'] === foundations)) breach(path, 'no foundations')
  for (const key of ['entities', 'subManifests', 'relationships'])
    if (key in json ? !Array.isArray(json[key]) : key === 'entities') breach(path, `${key} is no list`)
  const entries = list(json['entities']).map(object)
  for (const entry of entries) {
    const [file = '', name] = objectOf(text(entry['entityPath']), path)
    const document = documents.get(file)
    if (entry['type'] !== 'LocalEntity') breach(path, `${name} is not a LocalEntity`)
    if (!document || nameIn(document) !== name) breach(path, `${text(entry['entityPath'])} is not there`)
    const isAnother = entries.some(one => one !== entry && one['entityName'] === name)
    const called = text(entry['entityName'])
    if (isAnother ? !called.startsWith(`${name ?? ''}_`) : called !== name) breach(path, `${name} is called ${called}`)
  }
  if (new Set(entries.map(entry => entry['entityPath'])).size < entries.length)
    breach(path, 'an entity is listed twice')
  if (new Set(entries.map(entry => entry['entityName'])).size < entries.length)
    breach(path, 'two entities are declared by one name')
  for (const sub of list(json['subManifests']).map(object)) {
    const definition = text(sub['definition'])
    const named = manifests.get(located(definition, folderOfFile(path)))?.['manifestName']
    if (named !== sub['manifestName']) breach(path, `${definition} is called ${text(named)}`)
  }
}

/** File and object name of a path in a manifest. */
function objectOf(corpusPath: string, manifest: string): [string, string] {
  const slash = corpusPath.lastIndexOf('/')
  return [located(corpusPath.slice(0, slash), folderOfFile(manifest)), corpusPath.slice(slash + 1)]
}

function checkDocument(document: ContractDocument, folder: Folder, breach: Breach): void {
  const { path, entity, imports } = document
  const json = folder.json.get(path) ?? {}
  const paths = list(json['imports']).map(item => text(object(item)['corpusPath']))
  if (paths[0] !== foundations) breach(path, 'the foundations are not imported first')
  if (imports.some(item => item.path === path)) breach(path, 'it imports itself')
  for (const [index, item] of imports.entries())
    if (!paths[index]?.startsWith('cdm:/') && !folder.documents.has(item.path))
      breach(path, `${item.path} is not there`)
  const distinct = new Set(imports.map(item => `${item.path} ${item.moniker ?? ''}`))
  if (distinct.size < imports.length) breach(path, 'it imports something twice')
  const listed = [...folder.manifests].some(([manifest, { entities }]) =>
    list(entities).some(entry => objectOf(text(object(entry)['entityPath']), manifest)[0] === path),
  )
  if (!listed) breach(path, 'no manifest lists its entity')
  checkParent(document, folder.names, breach)
  const direct = new Set(imports.map(item => item.path))
  const attributes = [...folder.names.attributes(document).values()]
  const own = new Set(list(entity['hasAttributes']).map(item => text(object(object(item)['entity'])['source'])))
  for (const { to, source = '', name } of attributes) {
    if (source !== '' && !to) breach(path, `${source}, which ${name} refers to, is nothing from here`)
    if (to && to !== document && own.has(source) && !direct.has(to.path)) breach(path, `it does not import ${to.path}`)
  }
  const format = attributes.some(({ source }) => source !== undefined) ? '1.4.0' : '1.0.0'
  if (json['jsonSchemaSemanticVersion'] !== format) breach(path, `its format is not ${format}`)
}

function checkParent(document: ContractDocument, names: ContractNames, breach: Breach): void {
  const { path, entity, imports } = document
  const named = text(entity['extendsEntity'])
  if (named === 'CdmEntity') return
  const parent = names.entity(named, document)
  if (!parent) return breach(path, `${named}, which it extends, is nothing from here`)
  if (imports[1]?.path !== parent.path) breach(path, 'the document of its parent is not imported second')
  if (
    nameIn(parent) === nameIn(document) &&
    !new RegExp(`^base_${nameIn(parent)}(?:_\\d+)?/${nameIn(parent)}$`).test(named)
  )
    breach(path, `${named} is not how an entity of the same name is extended`)
  if (!names.chain(document)) breach(path, 'what it extends ends nowhere')
}

/** Each manifest lists exactly the relationships that start or end at its entities, including inherited ones. */
function checkRelationships({ manifests, documents, names }: Folder, breach: Breach): void {
  const all = [...documents.values()].flatMap(from =>
    [...names.attributes(from).values()].flatMap(({ name, to, reference }) =>
      to ? [{ from, name, to, reference }] : [],
    ),
  )
  for (const { from, name, to, reference } of all)
    if (!names.attributes(to).has(reference))
      breach(from.path, `${name} refers to ${reference}, which ${to.path} does not have`)
    else if (!names.attributes(to).get(reference)?.isPlain)
      breach(from.path, `${name} refers to ${reference}, which is no plain attribute of ${to.path}`)
  for (const [path, json] of manifests) {
    const members = new Set(list(json['entities']).map(entry => objectOf(text(object(entry)['entityPath']), path)[0]))
    const expected = all
      .filter(({ from, to }) => members.has(from.path) || members.has(to.path))
      .map(({ from, name, to, reference }) =>
        [from.path, nameIn(from), name, to.path, nameIn(to), reference].join(' | '),
      )
    const listed = list(json['relationships'])
      .map(object)
      .map(item =>
        [
          ...objectOf(text(item['fromEntity']), path),
          text(item['fromEntityAttribute']),
          ...objectOf(text(item['toEntity']), path),
          text(item['toEntityAttribute']),
        ].join(' | '),
      )
    const [expectedSet, listedSet] = [new Set(expected), new Set(listed)]
    for (const one of expectedSet) if (!listedSet.has(one)) breach(path, `it does not list ${one}`)
    for (const one of listedSet)
      if (!expectedSet.has(one)) breach(path, `it lists ${one}, which does not follow from the entities`)
    if (listedSet.size < listed.length) breach(path, 'it lists a relationship twice')
  }
}
