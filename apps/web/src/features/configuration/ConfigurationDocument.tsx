import { useQuery } from '@tanstack/react-query'
import { Package2, Sigma } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import {
  type ApiType,
  apiTypes,
  type Configuration,
  identityProvidersOf,
  securities,
  type Security,
  withoutSecrets,
} from '@cadmus/model/configuration'
import { namesIn, withNewNames } from '@cadmus/model/configuration-names'
import type { ConfigurationWarning } from '@cadmus/model/configuration-warnings'
import { visibleText } from '@cadmus/model/display'
import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { isEqual } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { licensedApi } from '@cadmus/model/rules/organisation'
import { manifestPathsQuery } from '../../api/configurations.ts'
import { saveJson } from '../../api/download.ts'
import { useLicence } from '../../api/licence.ts'
import { lookAgain } from '../../api/session.ts'
import { CommandBar } from '../../commands/CommandBar.tsx'
import { ConfigurationWarnings, useConfigurationWarnings } from '../../commands/ConfigurationWarnings.tsx'
import { DocumentFailure } from '../../commands/DocumentFailure.tsx'
import { DocumentHeader, LockedNote } from '../../commands/DocumentHeader.tsx'
import type { Command } from '../../commands/command.ts'
import { type ConfigurationTab, tabLabels } from '../../commands/configuration-tabs.ts'
import { apiLabels, conflictValue, conflictWords, securityLabels } from '../../commands/configuration-words.ts'
import { useCommands } from '../../commands/use-commands.ts'
import { DraftDeleted } from '../../drafts/DraftDeleted.tsx'
import { DraftProblem } from '../../drafts/DraftProblem.tsx'
import { DraftStatus } from '../../drafts/DraftStatus.tsx'
import { draftCommands, useSavedSteps } from '../../drafts/draft-commands.ts'
import type { DraftKey } from '../../drafts/draft-key.ts'
import { isSaving } from '../../drafts/open-draft.ts'
import type { SavedStep } from '../../drafts/saved-steps.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type TabItem, Tabs } from '../../ui/Tabs.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { typedStore } from '../../ui/typed-text.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import styles from './Configuration.module.css'
import { ExcludedOperations } from './ExcludedOperations.tsx'
import { PropertiesPart } from './PropertiesPart.tsx'
import { QueriesPart } from './QueriesPart.tsx'
import { ScopesPart } from './ScopesPart.tsx'
import { ServicePart } from './ServicePart.tsx'
import { SqlPart } from './SqlPart.tsx'
import { configurationStore, titleOf } from '../../drafts/configuration-store.ts'
import {
  type ConfigurationView,
  useConfigurationView,
  useParts,
  useViewedVersion,
  viewVersion,
} from './configuration-view.ts'
import { addQuery } from './query-dialog.ts'
import { change, CheckSetting, Group, Part, ShownSetting } from './settings.tsx'

/** `typed`: a field holds unapplied text, which Save applies first. */
export type ConfigurationContext = {
  view: ConfigurationView
  tab: ConfigurationTab
  dirty: boolean
  typed: boolean
  savedSteps: readonly SavedStep[] | undefined
}

const { save, others } = draftCommands(configurationStore)
export const saveCommand: Command<ConfigurationContext> = { ...save, busy: ({ view }) => isSaving(view.open) }

export const configurationCommands: readonly Command<ConfigurationContext>[] = [
  saveCommand,
  ...others,
  {
    id: 'configuration.addQuery',
    label: 'Add Aggregate Query',
    icon: Sigma,
    visible: ({ tab }) => tab === 'queries',
    disabled: ({ view }) => view.locked ?? false,
    run: ({ view }) => addQuery(view),
  },
  {
    id: 'configuration.manifest',
    label: 'Open Manifest',
    icon: Package2,
    disabled: ({ view }) => (view.open.state === 'deleted' ? (view.locked ?? false) : false),
    run: ({ view: { manifest } }) => openManifest(manifest),
  },
]

/** Those with a button besides Save. */
const labelledCommands = ['configuration.addQuery', 'configuration.manifest']

/** Opens the manifest in the version whose configuration is shown. */
function openManifest({ id, name, path, currentVersion, latestVersion }: ConfigurationView['manifest']): void {
  const { open, show } = workbench.getState()
  const version = currentVersion === latestVersion ? undefined : currentVersion
  open({ kind: 'manifest', id, name, path })
  show(tabIdOf({ kind: 'manifest', id }), { version })
}

export function ConfigurationDocument({ id }: { id: number }) {
  const { view, error, retry } = useConfigurationView(id)
  const isOld = useViewedVersion(id) !== undefined
  const onLatest = isOld ? () => viewVersion(id, undefined) : undefined
  const tabId = tabIdOf({ kind: 'configuration', id })
  useEffect(() => void lookAgain(), [id])
  if (error) return <DocumentFailure tabId={tabId} error={error} onRetry={retry} onLatest={onLatest} />
  if (!view) return <Skeleton lines={12} />
  return <Loaded view={view} />
}

function Loaded({ view }: { view: ConfigurationView }) {
  const { manifest, open, locked, draft } = view
  const { id, name, path, currentVersion, latestVersion } = manifest
  const tabId = tabIdOf({ kind: 'configuration', id })
  const parts = useParts(view)
  const requestedTab = useWorkbench(state => state.shown.get(tabId)?.tab)
  const tab = parts.find(part => part.value === requestedTab && part.disabled === false)?.value ?? 'api'
  const dirty = draft.changes > 0
  const typed = useStore(typedStore, ({ fields }) => fields.size > 0)
  const savedSteps = useSavedSteps(configurationStore, view.key, view)
  const context = useMemo<ConfigurationContext>(
    () => ({ view, tab, dirty, typed, savedSteps }),
    [view, tab, dirty, typed, savedSteps],
  )
  useCommands(configurationCommands, context)
  useFollowedNames(view)
  const warnings = useConfigurationWarnings(id, draft.content)
  useEffect(() => {
    // Keeps the tab title in step with the manifest name.
    if (currentVersion === latestVersion) workbench.getState().rename(tabId, titleOf(name), path)
  }, [tabId, name, path, currentVersion, latestVersion])

  const items = parts.map(({ value, disabled }): TabItem<ConfigurationTab> => {
    const panel = panels[value](view)
    const own = warnings.filter(({ part }) => part === value)
    const warning = own.length === 0 ? undefined : own.map(({ message }) => message).join(' ')
    const item = { value, label: tabLabels[value], disabled, panel: withWarnings(panel, own), warning }
    return value === 'queries' ? { ...item, count: draft.content.configurationBuild.aggregateQueries.length } : item
  })

  return (
    <article className={styles['document']} aria-label={`Configuration of ${visibleText(name)}`}>
      <DocumentHeader
        name={name}
        note={<span className={styles['of']}>Configuration</span>}
        path={path}
        version={currentVersion}
        latest={latestVersion}
        onLatest={() => viewVersion(id, undefined)}
      >
        <CommandBar
          label="Configuration"
          commands={configurationCommands}
          context={context}
          primary={[saveCommand.id]}
          labelled={labelledCommands}
        />
      </DocumentHeader>
      {locked && open.state !== 'deleted' && <LockedNote>{locked}</LockedNote>}
      <ConfigurationDeleted view={view} />
      <DraftStatus at={view.key} open={open} store={configurationStore} />
      <DraftProblem at={view.key} open={open} store={configurationStore} words={conflictWords} value={conflictValue} />
      <Tabs
        label={`Parts of the configuration of ${visibleText(name)}`}
        items={items}
        value={tab}
        onChange={next => workbench.getState().show(tabId, { tab: next === 'api' ? undefined : next })}
      />
    </article>
  )
}

function withWarnings(panel: ReactNode, warnings: readonly ConfigurationWarning[]): ReactNode {
  return (
    <>
      <div className={styles['warnings']}>
        <ConfigurationWarnings warnings={warnings} />
      </div>
      {panel}
    </>
  )
}

const panels: Record<ConfigurationTab, (view: ConfigurationView) => ReactNode> = {
  api: view => <ApiPart view={view} />,
  sql: view => <SqlPart view={view} />,
  service: view => <ServicePart view={view} />,
  properties: view => <PropertiesPart view={view} />,
  queries: view => <QueriesPart view={view} />,
  scopes: view => <ScopesPart view={view} />,
}

/** Actions for the unsaved changes of a configuration whose manifest was deleted. */
export function ConfigurationDeleted({ view: { key, open, draft, manifest } }: { view: ConfigurationView }) {
  const shown = withoutSecrets(draft.content)
  const note = isEqual(shown, draft.content) ? undefined : messages.deleted.withoutSecrets
  return (
    <DraftDeleted at={key} open={open} store={configurationStore} note={note}>
      <Button variant="primary" onClick={() => saveJson(titleOf(manifest.name), shown)}>
        Export as JSON
      </Button>
      <Button onClick={() => void copyText(JSON.stringify(shown, null, 2))}>Copy as JSON</Button>
    </DraftDeleted>
  )
}

type Entities = readonly { id: number; name: string }[]

/** Follows concurrent renames of entities in names that only the draft holds; the server renames saved ones. */
export function useFollowedNames({ key, manifest: { id }, draft, locked }: ConfigurationView): void {
  const isEnabled = locked === null && draft.changes > 0
  const { data } = useQuery({ ...manifestPathsQuery(id), enabled: isEnabled })
  const last = useRef<{ id: number; entities: Entities } | null>(null)
  useEffect(() => {
    if (!data) return
    const before = last.current?.id === id ? last.current.entities : data.entities
    last.current = { id, entities: data.entities }
    const names = renamed(before, data.entities)
    if (names.size > 0) follow(key, names)
  }, [data, id, key])
}

/** Renamed entities: old folded names to new names, unless another entity now has the old name. */
export function renamed(before: Entities, now: Entities): Map<string, string> {
  const oldNames = new Map(before.map(({ id, name }) => [id, name]))
  const currentNames = new Set(now.map(({ name }) => foldName(name)))
  return new Map(
    now.flatMap(({ id, name }): [string, string][] => {
      const old = oldNames.get(id) ?? name
      return old === name || currentNames.has(foldName(old)) ? [] : [[foldName(old), name]]
    }),
  )
}

function follow(key: DraftKey, names: ReadonlyMap<string, string>): void {
  const open = configurationStore.get(key)
  if (!open || open.draft.changes === 0) return
  const { base, content } = open.draft
  const edits = configurationEditsBetween(content, followed(base, content, names))
  if (edits.length > 0) configurationStore.edit(key, () => edits)
}

/** Applies the renames to names that the base does not hold. */
export function followed(
  base: Configuration,
  content: Configuration,
  names: ReadonlyMap<string, string>,
): Configuration {
  const baseNames = new Set(namesIn(base).map(({ entity }) => foldName(entity)))
  return withNewNames(content, {
    entity: name => (baseNames.has(foldName(name)) ? undefined : names.get(foldName(name))),
    column: () => undefined,
  })
}

export function ApiPart({ view }: { view: ConfigurationView }) {
  const { type, security } = view.draft.content.configurationBuild.apiConfiguration
  const licence = useLicence()
  const locked = view.locked !== null

  function choose(api: ApiType, chosen: boolean) {
    const next = apiTypes.filter(candidate => (candidate === api ? chosen : type.includes(candidate)))
    change(view, 'apiConfiguration', { type: next })
  }

  return (
    <Part view={view} tab="api">
      <div className={styles['wide']}>
        <Group title="API Types">
          <div className={styles['checks']}>
            {apiTypes.map(api => {
              const refusal = licensedApi(api, licence)
              return (
                <CheckSetting
                  key={api}
                  label={apiLabels[api]}
                  {...(refusal === undefined ? {} : { hint: refusal })}
                  checked={type.includes(api)}
                  locked={locked}
                  // A protocol that the licence no longer includes can still be unchecked.
                  disabled={refusal !== undefined && !type.includes(api)}
                  onChange={chosen => choose(api, chosen)}
                />
              )
            })}
          </div>
        </Group>
        <Group title="Security">
          {locked ? (
            <ShownSetting label="Security" value={securityLabels[security]} />
          ) : (
            <RadioGroup<Security>
              label="Security"
              hideLabel
              options={securities.map(value => ({ value, label: securityLabels[value] }))}
              value={security}
              onChange={next => secure(view, next)}
            />
          )}
        </Group>
        <ExcludedOperations view={view} />
      </div>
    </Part>
  )
}

/** Resets the identity provider if the security does not support it. */
function secure({ key }: ConfigurationView, security: Security): void {
  configurationStore.edit(key, ({ configurationBuild }) => {
    const path = ['configurationBuild', 'apiConfiguration', 'security']
    const [only, ...more] = identityProvidersOf(security)
    const { identityProvider } = configurationBuild.apiScopeConfiguration
    const isOther = only !== undefined && more.length === 0 && only !== identityProvider
    const provider = { path: ['configurationBuild', 'apiScopeConfiguration', 'identityProvider'], value: only ?? null }
    return [{ kind: 'changeConfiguration', changes: [{ path, value: security }, ...(isOther ? [provider] : [])] }]
  })
}
