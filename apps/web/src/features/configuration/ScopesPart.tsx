import { identityProvidersOf, type IdentityProvider } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { hiddenCharacters } from '@cadmus/model/rules/hidden-characters'
import { addScope, removedScope } from '@cadmus/model/rules/scope-definition'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { manifestPathsQuery } from '../../api/configurations.ts'
import { MultiSelect } from '../../ui/MultiSelect.tsx'
import { Select } from '../../ui/Select.tsx'
import { TagInput } from '../../ui/TagInput.tsx'
import type { ConfigurationView } from './configuration-view.ts'
import { change, CheckSetting, Group, ShownSetting } from './settings.tsx'
import { providerLabels } from './words.ts'
import styles from './Configuration.module.css'

/** API Scopes: role-based access, who knows the callers, and what they may be granted. */
export function ScopesPart({ view }: { view: ConfigurationView }) {
  const { enableRbac, identityProvider, scopeDefinitions, globalScopes } =
    view.draft.content.configurationBuild.apiScopeConfiguration
  const locked = view.locked !== null
  const off = !enableRbac
  return (
    <div className={styles['part']}>
      <div className={styles['settings']}>
        <CheckSetting
          label="Enable RBAC"
          hint="An operation asks its caller for one of its scopes, or for a global one."
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
            <Providers view={view} value={identityProvider} disabled={off} />
            <Definitions view={view} definitions={scopeDefinitions} globalScopes={globalScopes} disabled={off} />
            <MultiSelect
              label="Global Scopes"
              hint="A caller who has one of them may do everything."
              options={scopeDefinitions}
              value={globalScopes}
              disabled={off}
              placeholder="None"
              emptyText="Define a scope first."
              onChange={next => change(view, 'apiScopeConfiguration', { globalScopes: next })}
            />
          </>
        )}
      </div>
    </div>
  )
}

function Providers({ view, value, disabled }: { view: ConfigurationView; value: IdentityProvider; disabled: boolean }) {
  const { security } = view.draft.content.configurationBuild.apiConfiguration
  const offered = identityProvidersOf(security)
  return (
    <Select
      label="Identity Provider"
      options={offered.map(provider => ({ value: provider, label: providerLabels[provider] }))}
      value={offered.includes(value) ? value : null}
      placeholder={providerLabels[value]}
      disabled={disabled}
      error={!disabled && !offered.includes(value) ? messages.basicProvider : null}
      onChange={provider => change(view, 'apiScopeConfiguration', { identityProvider: provider })}
    />
  )
}

type DefinitionsProps = {
  view: ConfigurationView
  definitions: readonly string[]
  globalScopes: readonly string[]
  disabled: boolean
}

function Definitions({ view, definitions, globalScopes, disabled }: DefinitionsProps) {
  // Until it is known what entities ask for, the server says what may not go.
  const { data } = useQuery(manifestPathsQuery(view.manifest.id))
  const [kept, setKept] = useState<{ message: string; of: readonly string[] } | null>(null)

  function remove(scope: string) {
    const message = removedScope(scope, new Set([...globalScopes, ...(data?.scopes ?? [])]))
    if (message !== undefined) return setKept({ message, of: definitions })
    setKept(null)
    change(view, 'apiScopeConfiguration', { scopeDefinitions: definitions.filter(known => known !== scope) })
  }

  return (
    <TagInput
      label="Scope Definitions"
      hint="Enter, a comma or Tab adds a scope."
      placeholder="Type a scope"
      value={definitions}
      disabled={disabled}
      error={kept?.of === definitions ? kept.message : null}
      validate={scopes => scopes.map(scope => hiddenCharacters(scope)).find(problem => problem !== undefined) ?? null}
      onAdd={scopes => {
        const next = scopes.reduce(addScope, definitions)
        setKept(null)
        if (next !== definitions) change(view, 'apiScopeConfiguration', { scopeDefinitions: [...next] })
      }}
      onRemove={remove}
    />
  )
}
