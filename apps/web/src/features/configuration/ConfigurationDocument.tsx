import type { ConfigurationWarning } from '@cadmus/model/configuration-warnings'
import { visibleText } from '@cadmus/model/display'
import { Lock } from 'lucide-react'
import { useEffect, useMemo, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { lookAgain } from '../../api/session.ts'
import { pressCommand } from '../../commands/command.ts'
import { ConfigurationWarnings, useConfigurationWarnings } from '../../commands/ConfigurationWarnings.tsx'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { DocumentFailure } from '../../commands/DocumentFailure.tsx'
import { DocumentPath } from '../../commands/DocumentPath.tsx'
import { useCommands } from '../../commands/scope.ts'
import { isSaving } from '../../drafts/open-draft.ts'
import { DraftProblem } from '../../drafts/DraftProblem.tsx'
import { DraftStatus } from '../../drafts/DraftStatus.tsx'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs, type TabItem } from '../../ui/Tabs.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { typedStore } from '../../ui/typed-text.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { ApiPart } from './ApiPart.tsx'
import { ConfigurationDeleted } from './ConfigurationDeleted.tsx'
import { configurationCommands, saveCommand, type ConfigurationContext } from './configuration-commands.ts'
import { configurationStore, titleOf } from './configuration-store.ts'
import { tabLabels, type ConfigurationTab } from '../../commands/configuration-tabs.ts'
import {
  useConfigurationView,
  useParts,
  useViewedVersion,
  viewVersion,
  type ConfigurationView,
} from './configuration-view.ts'
import { useFollowedNames } from './follow-names.ts'
import { PropertiesPart } from './PropertiesPart.tsx'
import { QueriesPart } from './QueriesPart.tsx'
import { ScopesPart } from './ScopesPart.tsx'
import { ServicePart } from './ServicePart.tsx'
import { SqlPart } from './SqlPart.tsx'
import { conflictValue, conflictWords } from '../../commands/configuration-words.ts'
import styles from './Configuration.module.css'

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
  const context = useMemo<ConfigurationContext>(() => ({ view, tab, dirty, typed }), [view, tab, dirty, typed])
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
      <header className={styles['header']}>
        <div className={styles['titles']}>
          <h1>{visibleText(name)}</h1>
          <span className={styles['of']}>Configuration</span>
          <DocumentPath
            path={path}
            version={currentVersion}
            latest={latestVersion}
            onLatest={() => viewVersion(id, undefined)}
          />
        </div>
        {dirty && view.saveLocked === null && open.state !== 'deleted' && (
          <Button variant="primary" busy={isSaving(open)} onClick={() => pressCommand(saveCommand, context)}>
            Save
          </Button>
        )}
        <Toolbar label="Configuration">
          <CommandButtons commands={configurationCommands} context={context} />
        </Toolbar>
      </header>
      {locked && open.state !== 'deleted' && (
        <p className={styles['locked']}>
          <Lock size={14} aria-hidden />
          {locked}
        </p>
      )}
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
