import type { ApiType } from '@cadmus/model/configuration'
import { connectionUrl, packageDatabaseOf, type PackageDatabase } from '@cadmus/model/database-types'
import {
  emptyConnection,
  newConnection,
  openBlueprint,
  stepsOf,
  type Blueprint,
  type Connection,
  type Credentials,
  type DatabaseDetails,
  type ExistingPackage,
  type Named,
  type SchemaOption,
  type Settings,
  type SqlOptions,
} from './blueprint.ts'
import { firstOpenStep, maySkip, problemOf } from './blueprint-rules.ts'

export type BlueprintEvent = { type: 'next' } | { type: 'back' } | { type: 'skip' } | Choice | Answer

type Choice =
  | { type: 'manifest'; manifest: Named }
  | { type: 'goal'; goal: 'publish' | 'export' }
  | { type: 'target'; target: Blueprint['target'] }
  | { type: 'hosted'; hosted: { name: string; url: string } }
  | { type: 'url'; url: string }
  | { type: 'credentials'; credentials: Credentials }
  | { type: 'test' }
  | { type: 'api'; api: ApiType; on: boolean }
  | { type: 'schema'; schema: SchemaOption }
  | { type: 'database'; database: Blueprint['database'] }
  | { type: 'databaseType'; databaseType: PackageDatabase }
  | { type: 'existing'; existing: Existing }
  | { type: 'connection'; change: Partial<Connection> }
  | { type: 'left'; field: keyof Connection }
  | { type: 'sql'; change: Partial<SqlOptions> }
  | { type: 'packageMode'; mode: Blueprint['packageMode'] }
  | { type: 'newPackage'; name: string }
  | { type: 'existingPackage'; existing: ExistingPackage }
  | { type: 'version'; version: string }

type Existing = NonNullable<Blueprint['existing']>

/** Results of requests. `database`: the database to which the details belong. */
type Answer =
  | { type: 'settings'; settings: Settings }
  | { type: 'validated' }
  | { type: 'refused'; message: string }
  /** Confirmation to publish, or its refusal. */
  | { type: 'agreed' }
  | { type: 'stopped' }
  | { type: 'tested'; test: NonNullable<Blueprint['test']> }
  | { type: 'details'; database: Existing; details: DatabaseDetails }
  | { type: 'detailsFailed'; database: Existing }
  | { type: 'started'; version: string }
  | { type: 'built'; built: NonNullable<Blueprint['built']> }

/** Properties of the component of a step. */
export type StepProps = { state: Blueprint; dispatch: (event: BlueprintEvent) => void }

/** Next state of the wizard. A changed choice clears refusals, test results and builds. */
export function nextBlueprint(state: Blueprint, event: BlueprintEvent): Blueprint {
  switch (event.type) {
    case 'next':
      return goForward(state)
    case 'back':
      return goBack(state)
    case 'skip':
      return maySkip(state) ? { ...state, step: '5', attempted: false } : state
    case 'settings':
    case 'validated':
    case 'refused':
    case 'agreed':
    case 'stopped':
    case 'tested':
    case 'details':
    case 'detailsFailed':
    case 'started':
    case 'built':
      return afterAnswer(state, event)
    case 'left':
      return { ...state, left: new Set([...state.left, event.field]) }
    default:
      if (state.working !== null && state.working !== 'testing') return state
      return { ...chosen({ ...state, ...reset }, event), hasChosen: true }
  }
}

const reset = {
  version: null,
  startedVersion: null,
  attempted: false,
  refused: null,
  built: null,
  working: null,
} as const

function goForward(state: Blueprint): Blueprint {
  if (state.working !== null) return state
  if (problemOf(state) !== undefined) return { ...state, attempted: true }
  // Only the server can decide these steps; its response arrives as an event.
  if (state.step === '1') return { ...state, refused: null, working: 'validating' }
  if (state.step === '5') return { ...state, refused: null, working: state.goal === 'publish' ? 'asking' : 'building' }
  return { ...state, step: state.again ? firstOpenStep(state) : adjacentStep(state, 1), attempted: false }
}

function goBack(state: Blueprint): Blueprint {
  if (state.working !== null) return state
  return { ...state, step: adjacentStep(state, -1), attempted: false, refused: null }
}

function adjacentStep(state: Blueprint, delta: 1 | -1): Blueprint['step'] {
  const steps = stepsOf(state)
  return steps[steps.indexOf(state.step) + delta] ?? state.step
}

function afterAnswer(state: Blueprint, event: Answer): Blueprint {
  switch (event.type) {
    case 'settings':
      return withSettings(state, event.settings)
    case 'validated':
      if (state.working !== 'validating') return state
      return { ...state, working: null, attempted: false, step: state.again ? firstOpenStep(state) : '2' }
    case 'refused':
      return { ...state, working: null, startedVersion: null, refused: event.message }
    case 'agreed':
      return { ...state, working: state.built ? 'publishing' : 'building' }
    case 'stopped':
      return { ...state, working: null }
    case 'tested':
      if (state.working !== 'testing') return state
      return { ...state, working: null, test: event.test }
    case 'details':
      return isChosen(state, event.database) ? withDetails(state, event.details) : state
    case 'detailsFailed':
      return isChosen(state, event.database) ? { ...state, details: 'failed' } : state
    case 'started':
      return { ...state, startedVersion: event.version }
    case 'built':
      return { ...state, built: event.built, working: state.goal === 'publish' ? 'publishing' : null }
  }
}

function withSettings(state: Blueprint, settings: Settings): Blueprint {
  const [own] = settings
  if (!own || state.settings === settings) return state
  const { type: configured, url, username, databaseName } = own.packageProperties.connectionPoolInfo
  const type = packageDatabaseOf(configured)
  const { apiConfiguration, sqlConfiguration } = own.configurationBuild
  const apis = state.apis.length === 0 && state.schema === null ? apiConfiguration.type : state.apis
  const loaded = { ...state, settings, apis, sql: state.sql ?? sqlConfiguration }
  // A type chosen by the user takes precedence over the configuration.
  if (state.again || state.sql !== null || type === undefined || !state.allowed.includes(type)) return loaded
  // The stored password is not sent to the page.
  const connection = url === '' ? newConnection(type) : { url, username, password: '', databaseName }
  return { ...loaded, databaseType: type, connection }
}

/** The choice may have changed since the request. */
function isChosen({ existing }: Blueprint, { name, instance }: Existing): boolean {
  return existing?.name === name && existing.instance === instance
}

/** Uses the name under which the instance knows the database. */
function withDetails(state: Blueprint, details: DatabaseDetails): Blueprint {
  const { url, username } = details
  return {
    ...state,
    details,
    databaseType: details.type ?? state.databaseType,
    connection: { url, username, password: '', databaseName: state.existing?.name ?? '' },
  }
}

function chosen(state: Blueprint, event: Exclude<Choice, { type: 'left' }>): Blueprint {
  switch (event.type) {
    case 'manifest':
      if (event.manifest.id === state.manifest?.id) return state
      return { ...openBlueprint(event.manifest, state.allowed), goal: state.goal, target: state.target }
    case 'goal':
      return { ...withoutInstance(state), goal: event.goal }
    case 'target':
    case 'hosted':
    case 'url':
    case 'credentials':
    case 'test':
      return withTarget(state, event)
    case 'api':
    case 'schema':
      return withContent(state, event)
    case 'packageMode':
      return { ...state, packageMode: event.mode }
    case 'newPackage':
      return { ...state, newPackage: event.name }
    case 'existingPackage':
      return { ...state, existingPackage: event.existing }
    case 'version':
      return { ...state, version: event.version }
    default:
      return withDatabase(state, event)
  }
}

type TargetChoice = Extract<Choice, { type: 'target' | 'hosted' | 'url' | 'credentials' | 'test' }>

function withTarget(state: Blueprint, event: TargetChoice): Blueprint {
  if (event.type === 'test') return { ...state, working: 'testing', test: null }
  // Passwords are not stored: typing one again keeps the choices made for the instance.
  if (event.type === 'credentials' && state.again) return { ...state, test: null, credentials: event.credentials }
  const other = { ...withoutInstance(state), test: null }
  switch (event.type) {
    case 'target':
      return { ...other, target: event.target }
    case 'hosted':
      return { ...other, hosted: event.hosted }
    case 'url':
      return { ...other, url: event.url }
    case 'credentials':
      return { ...other, credentials: event.credentials }
  }
}

/** Choices from one instance are invalid for another. */
function withoutInstance(state: Blueprint): Blueprint {
  const cleared = { ...state, existingPackage: null }
  if (state.database === 'new') return cleared
  return { ...cleared, existing: null, details: null, connection: emptyConnection }
}

/** APIs and schema options exclude each other. */
function withContent(state: Blueprint, event: Extract<Choice, { type: 'api' | 'schema' }>): Blueprint {
  if (event.type === 'schema') return { ...state, schema: event.schema, apis: [] }
  const others = state.apis.filter(api => api !== event.api)
  return { ...state, schema: event.on ? null : state.schema, apis: event.on ? [...others, event.api] : others }
}

type DatabaseChoice = Extract<Choice, { type: 'database' | 'databaseType' | 'existing' | 'connection' | 'sql' }>

function withDatabase(state: Blueprint, event: DatabaseChoice): Blueprint {
  switch (event.type) {
    case 'database':
      return {
        ...state,
        database: event.database,
        existing: null,
        details: null,
        left: new Set(),
        connection: event.database === 'new' ? newConnection(state.databaseType) : emptyConnection,
      }
    case 'databaseType':
      return withType(state, event.databaseType)
    case 'existing':
      return { ...state, existing: event.existing, details: 'loading', connection: emptyConnection }
    case 'connection':
      return withConnection(state, event.change)
    case 'sql':
      return state.sql === null ? state : { ...state, sql: { ...state.sql, ...event.change } }
  }
}

/** An unedited template URL switches to the new type; an edited URL is unchanged. */
function withType(state: Blueprint, databaseType: PackageDatabase): Blueprint {
  const { databaseName, url } = state.connection
  const isTemplate = url === '' || url === connectionUrl(state.databaseType, databaseName)
  if (state.database === 'existing' || !isTemplate) return { ...state, databaseType }
  return {
    ...state,
    databaseType,
    connection: { ...state.connection, url: connectionUrl(databaseType, databaseName) },
  }
}

/** A template URL follows the database name. */
function withConnection(state: Blueprint, change: Partial<Connection>): Blueprint {
  const { databaseType, connection } = state
  const next = { ...connection, ...change }
  const follows =
    state.database === 'new' &&
    change.databaseName !== undefined &&
    change.url === undefined &&
    connection.url === connectionUrl(databaseType, connection.databaseName)
  return { ...state, connection: follows ? { ...next, url: connectionUrl(databaseType, next.databaseName) } : next }
}
