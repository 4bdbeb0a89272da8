import { identityProvidersOf, type IdentityProvider } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { addScope, removedScope, scopeProblem } from '@cadmus/model/rules/scopes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { manifestPathsQuery } from '../../api/configurations.ts'
import { queryClient } from '../../api/query-client.ts'
import { OpenSum } from '../../commands/OpenSum.tsx'
import { MultiSelect, Select } from '../../ui/Select.tsx'
import { TagInput } from '../../ui/TagInput.tsx'
import { configurationStore } from '../../drafts/configuration-store.ts'
import type { ConfigurationView } from './configuration-view.ts'
import { change, CheckSetting, Group, Part, ShownSetting } from './settings.tsx'
import { providerLabels, providerWords } from '../../commands/configuration-words.ts'
import type { Reason } from '../../ui/reasons.ts'
import styles from './Configuration.module.css'

export function ScopesPart({ view }: { view: ConfigurationView }) {
  const { enableRbac, identityProvider, scopeDefinitions, globalScopes } =
    view.draft.content.configurationBuild.apiScopeConfiguration
  const locked = view.locked !== null
  const reason: Reason = !enableRbac && 'Enable RBAC first.'
  return (
    <Part view={view} tab="scopes">
      <div className={styles['settings']}>
        <OpenSum manifestId={view.manifest.id} configuration={view.draft.content} />
        <CheckSetting
          label="Enable RBAC"
          hint="Callers need one of the operation's scopes or a global scope."
          checked={enableRbac}
          locked={locked}
          onChange={checked => change(view, 'apiScopeConfiguration', { enableRbac: checked })}
        />
        {locked ? (
          <Group title="Scopes">
            <ShownSetting label="Identity Provider" value={providerLabels[identityProvider]} />
            <ShownSetting label="Scope Definitions" value={scopeDefinitions.join(', ')} />
            <ShownSetting label="Global Scopes" value={globalScopes.join(', ')} />
          </Group>
        ) : (
          <>
            <Providers view={view} value={identityProvider} reason={reason} />
            <Definitions view={view} definitions={scopeDefinitions} globalScopes={globalScopes} reason={reason} />
            <MultiSelect
              label="Global Scopes"
              hint="A global scope permits every operation."
              reason={reason}
              options={scopeDefinitions}
              value={globalScopes}
              placeholder="None"
              emptyText="Define a scope first."
              onChange={next => change(view, 'apiScopeConfiguration', { globalScopes: next })}
            />
          </>
        )}
      </div>
    </Part>
  )
}

function Providers({ view, value, reason }: { view: ConfigurationView; value: IdentityProvider; reason: Reason }) {
  const { security } = view.draft.content.configurationBuild.apiConfiguration
  const offered = identityProvidersOf(security)
  return (
    <Select
      label="Identity Provider"
      hint={providerWords[value]}
      reason={reason}
      options={offered.map(provider => ({ value: provider, label: providerLabels[provider] }))}
      value={offered.includes(value) ? value : null}
      placeholder={providerLabels[value]}
      error={!reason && !offered.includes(value) ? messages.basicProvider : null}
      onChange={provider => change(view, 'apiScopeConfiguration', { identityProvider: provider })}
    />
  )
}

function currentScopes({ key, draft }: ConfigurationView): readonly string[] {
  const { configurationBuild } = (configurationStore.get(key)?.draft ?? draft).content
  return configurationBuild.apiScopeConfiguration.scopeDefinitions
}

/** Whether the stored configuration lacks the scope. */
function isSaved({ key }: ConfigurationView, scope: string): boolean {
  const base = configurationStore.get(key)?.draft.base
  return base !== undefined && !base.configurationBuild.apiScopeConfiguration.scopeDefinitions.includes(scope)
}

/** Reads the current scopes, so that consecutive changes add up. */
function changeScopes(view: ConfigurationView, make: (now: readonly string[]) => readonly string[]): void {
  const path = ['configurationBuild', 'apiScopeConfiguration', 'scopeDefinitions']
  configurationStore.edit(view.key, ({ configurationBuild }) => {
    const value = [...make(configurationBuild.apiScopeConfiguration.scopeDefinitions)]
    return [{ kind: 'changeConfiguration', changes: [{ path, value }] }]
  })
}

type DefinitionsProps = {
  view: ConfigurationView
  definitions: readonly string[]
  globalScopes: readonly string[]
  reason: Reason
}

function Definitions({ view, definitions, globalScopes, reason }: DefinitionsProps) {
  const query = manifestPathsQuery(view.manifest.id)
  const { data } = useQuery(query)
  const used = new Set([...globalScopes, ...(data?.scopes ?? [])])
  // Recomputed on each render: a scope no longer in use may be removed.
  const [inUse, setInUse] = useState<{ scope: string; definitions: readonly string[] } | null>(null)

  async function remove(scope: string) {
    if (removedScope(scope, used) !== undefined) return setInUse({ scope, definitions: definitions })
    setInUse(null)
    const place = definitions.indexOf(scope)
    changeScopes(view, now => now.filter(one => one !== scope))
    // Applied at once, in case Save follows; the entities' scopes are checked later, or by that Save.
    if (data) return
    const loaded = await queryClient.fetchQuery(query).catch(() => null)
    const problem = removedScope(scope, new Set(loaded?.scopes))
    if (problem === undefined || isSaved(view, scope)) return
    changeScopes(view, now => (now.includes(scope) ? now : now.toSpliced(place, 0, scope)))
    setInUse({ scope, definitions: currentScopes(view) })
  }

  return (
    <TagInput
      label="Scope Definitions"
      hint="Enter, a comma or Tab adds a scope."
      reason={reason}
      placeholder="Type a scope"
      value={definitions}
      error={inUse?.definitions === definitions ? (removedScope(inUse.scope, used) ?? null) : null}
      validate={scopes => scopes.map(scopeProblem).find(problem => problem !== undefined) ?? null}
      onAdd={scopes => {
        setInUse(null)
        changeScopes(view, now => scopes.reduce(addScope, now))
      }}
      onRemove={scope => void remove(scope)}
    />
  )
}
