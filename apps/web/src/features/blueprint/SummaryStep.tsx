import { apiTypes, type Configuration } from '@cadmus/model/configuration'
import { databaseTypeTable, embeddedDatabase } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import { useQuery } from '@tanstack/react-query'
import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { builtVersions } from '../../api/await-build.ts'
import { comparable, compareBuild } from '../../api/packages.ts'
import { keys, scoped } from '../../api/query-client.ts'
import { readFailure } from '../../api/read-failure.ts'
import { ConfigurationWarnings, useConfigurationWarnings } from '../../commands/ConfigurationWarnings.tsx'
import { OpenSum } from '../../commands/OpenSum.tsx'
import { BreaksNotice } from '../../commands/BreaksNotice.tsx'
import { apiLabels, providerLabels, securityLabels, sqlOptionWords } from '../../commands/configuration-words.ts'
import { Alert } from '../../ui/Alert.tsx'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import { schemaLabels, type Blueprint, type ExistingPackage } from './blueprint.ts'
import { instanceOf, packageOf } from './blueprint-rules.ts'
import type { StepProps } from './blueprint-flow.ts'
import { majorAfter, settingsOf, versionAfter } from './build-request.ts'
import { usePackages } from './use-instance.ts'
import { useSettingsFailure } from './use-manifest.ts'
import styles from './Blueprint.module.css'

/** Everything the build will use: the choices of the wizard and the manifest's stored configuration. */
export function SummaryStep({ state, dispatch }: StepProps) {
  const name = packageOf(state)
  const versions = useQuery({
    ...scoped([...keys.packages, 'versions', name], options => builtVersions(name, options)),
    gcTime: 0,
  })
  const { data: built } = versions
  const packages = usePackages(state)
  const replaced = replacedBy(state, packages.data)
  const [own] = state.settings ?? []
  const breakingChanges = useBreakingChanges(state)
  const reasons = breakingChanges.data?.reasons ?? []
  const failures = [
    useSettingsFailure(state),
    readFailure(versions, blueprintTexts.versionsUnread),
    readFailure(breakingChanges, blueprintTexts.breaksUnread),
    readFailure(packages, messages.packages.failed.packages),
  ].filter(failure => failure !== null)
  const major = built && majorAfter(built, state)
  const currentVersion = state.built?.version ?? state.startedVersion
  const version = currentVersion ?? (built ? versionAfter(built, state) : '')

  return (
    // Focusable so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section tabIndex={0} aria-label="Summary" className={styles['summary']}>
      {failures.map(failure => (
        <UnreadAlert key={failure.message} failure={failure} />
      ))}
      {replaced !== undefined && <Alert kind="warning">{replaced}</Alert>}
      {own && state.manifest && (
        <Warnings manifestId={state.manifest.id} configuration={settingsOf(state)[0] ?? own} schema={state.schema} />
      )}
      {currentVersion === null && reasons.length > 0 && major !== undefined && major !== version && (
        <BreaksNotice
          version={major}
          reasons={reasons}
          disabled={state.working !== null}
          onTake={accepted => dispatch({ type: 'version', version: accepted })}
        />
      )}
      <dl>
        <Line label="Manifest" value={state.manifest?.name} />
        <Line label="Publish / Export" value={state.goal === 'publish' ? 'Publish' : 'Export'} />
        {state.goal === 'publish' && <Line label="Instance" value={describeInstance(state)} />}
        <Line label="API types" value={describeApis(state)} />
        {state.schema !== null && <Line label="Schema/model" value={schemaLabels[state.schema]} />}
        {state.schema !== 'ENTITY_GLOOP_MODEL' && <Line label="Database connection" value={describeDatabase(state)} />}
        {state.schema !== 'ENTITY_GLOOP_MODEL' && (
          <Line label="Schema configuration" value={describeSqlOptions(state)} />
        )}
        <Line label="Package name" value={name} />
        <Line label="Version" value={version} />
        {own && state.schema === null && <ConfiguredLines own={own} />}
      </dl>
    </section>
  )
}

type WarningsProps = { manifestId: number; configuration: Configuration; schema: Blueprint['schema'] }

/** No security warning without an API, no database warning without a database. */
function Warnings({ manifestId, configuration, schema }: WarningsProps) {
  const warnings = useConfigurationWarnings(manifestId, configuration)
  if (schema === 'ENTITY_GLOOP_MODEL') return null
  return (
    <>
      <ConfigurationWarnings warnings={warnings} {...(schema === null ? {} : { part: 'service' })} />
      {schema === null && <OpenSum manifestId={manifestId} configuration={configuration} />}
    </>
  )
}

function useBreakingChanges(state: Blueprint) {
  const id = state.manifest?.id ?? -1
  const body = {
    publishAs: state.schema ?? ('PACKAGE' as const),
    customPackageName: packageOf(state),
    manifestProperties: comparable(settingsOf(state)),
  }
  return useQuery({
    ...scoped([...keys.manifests, 'compare', id, body], options => compareBuild(id, body, options)),
    enabled: state.settings !== null && state.built === null,
    gcTime: 0,
    retry: false,
  })
}

/** Message that the instance already has a package of this name. */
function replacedBy(state: Blueprint, packages: readonly ExistingPackage[] = []): string | undefined {
  const name = packageOf(state)
  const instance = instanceOf(state)
  if (instance === null || !packages.some(one => one.name === name)) return undefined
  return blueprintTexts.replaces(name, instance.instanceUrl)
}

function Line({ label, value = '' }: { label: string; value?: string | undefined }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{visibleText(value === '' ? '-' : value)}</dd>
    </div>
  )
}

/** Settings that only the manifest's configuration holds. */
function ConfiguredLines({ own: { configurationBuild, packageProperties } }: { own: Configuration }) {
  const { apiConfiguration, apiScopeConfiguration, serviceConfiguration, aggregateQueries } = configurationBuild
  const services = [
    serviceConfiguration.applyMultiTenancy && 'Multi-Tenancy',
    serviceConfiguration.applyCustomField && 'Custom Fields',
    serviceConfiguration.applySot && 'Source of Truth',
  ].filter(word => word !== false)
  const { security, excludeOperations } = apiConfiguration
  const isSecured = security !== 'NONE'
  const provider = providerLabels[apiScopeConfiguration.identityProvider]
  const scopes = apiScopeConfiguration.enableRbac ? 'with RBAC' : 'without RBAC'
  return (
    <>
      <Line
        label="Security"
        value={isSecured ? `${securityLabels[security]}, ${provider}, ${scopes}` : securityLabels[security]}
      />
      {excludeOperations.length > 0 && <Line label="Excluded operations" value={excludeOperations.join(', ')} />}
      {aggregateQueries.length > 0 && (
        <Line label="Aggregate queries" value={aggregateQueries.map(query => query.name).join(', ')} />
      )}
      {services.length > 0 && <Line label="Service options" value={services.join(', ')} />}
      {packageProperties.customProperties.length > 0 && (
        <Line label="Properties" value={packageProperties.customProperties.map(one => one.name).join(', ')} />
      )}
    </>
  )
}

function describeInstance(state: Blueprint): string {
  const url = instanceOf(state)?.instanceUrl ?? ''
  return state.target === 'hosted' && state.hosted ? `${state.hosted.name} (${url})` : url
}

function describeApis({ apis }: Blueprint): string {
  return apis.length === 0
    ? 'None'
    : apiTypes
        .filter(api => apis.includes(api))
        .map(api => apiLabels[api])
        .join(', ')
}

/** The password is never shown, only whether one is set. */
function describeDatabase({ database, databaseType, connection }: Blueprint): string {
  const { url, username, password, databaseName } = connection
  if (database === 'existing' && embeddedDatabase(url) !== undefined) return messages.packages.embeddedDatabase
  const words = [
    database === 'new' ? 'New database' : 'Existing database',
    databaseTypeTable[databaseType].label,
    databaseName,
    url,
    username === '' ? 'no user' : `user ${username}`,
    password === '' ? withoutPassword[database] : 'with a password',
  ]
  return words.join(', ')
}

const withoutPassword = { new: 'no password', existing: "the instance's own password" } as const

function describeSqlOptions({ sql }: Blueprint): string {
  const on = sqlOptionWords.filter(([field]) => sql?.[field]).map(([, label]) => label)
  return on.length === 0 ? 'No query options' : on.join(', ')
}
