import { messages } from '@cadmus/model/messages'
import { openSum } from '@cadmus/model/messages/scopes'
import { scopeMatrixTexts as texts } from '@cadmus/model/messages/scope-matrix'
import { foldName } from '@cadmus/model/paths'
import { countOpen, settingsKind } from '@cadmus/model/required-scopes'
import { visibleText } from '@cadmus/model/display'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { readFailure } from '../api/read-failure.ts'
import { type ScopeMatrixAnswer, scopeMatrixQuery } from '../api/scope-matrix.ts'
import { CommandBar } from '../commands/CommandBar.tsx'
import { useCommands } from '../commands/use-commands.ts'
import { onDemand } from '../ui/on-demand.ts'
import { UnreadState } from '../ui/ErrorState.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { Select } from '../ui/Select.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { scopeButtons, scopesCommands, type ScopesContext } from './commands.ts'
import { allScopes, isShown, type MatrixFilter, type MatrixRow, usesOf } from './matrix-rows.ts'
import { ScopeMatrix } from './ScopeMatrix.tsx'
import styles from './Scopes.module.css'
import { type ShownManifest, useScopeState } from './use-scope-state.ts'

/** The panel is a chunk of its own. */
const { Component: TokenPanel } = onDemand(
  () => import('./TokenPanel.tsx').then(module => module.TokenPanel),
  <Skeleton lines={4} />,
)

/** Who may call the operations of a manifest's entities. */
export function ScopesPane({ manifest }: { manifest: ShownManifest }) {
  const { id, currentVersion, latestVersion } = manifest
  const version = currentVersion === latestVersion ? undefined : currentVersion
  const read = useQuery(scopeMatrixQuery(id, version))
  const failure = readFailure(read, texts.unread)
  if (failure) return <UnreadState failure={failure} />
  if (!read.data) return <Skeleton lines={8} />
  return <Loaded manifest={manifest} answer={read.data} version={version} />
}

type LoadedProps = { manifest: ShownManifest; answer: ScopeMatrixAnswer; version: string | undefined }

function Loaded({ manifest, answer, version }: LoadedProps) {
  const shown = useScopeState(manifest, answer, version)
  const { rows, defined, access, session } = shown
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<MatrixFilter>({ kind: 'all' })
  const [token, setToken] = useState<readonly string[] | null>(null)
  const offered = useMemo(() => allScopes(rows, defined), [rows, defined])
  const onScope = useCallback((scope: string) => setFilter({ kind: 'scope', scope }), [])
  const onToken = useCallback(() => setToken(now => (now === null ? [] : null)), [])
  const term = foldName(search)
  const filtered = useFilteredRows(rows, JSON.stringify([term, filter]), row => isShown(row, term, filter, access))
  const locked = version !== undefined ? messages.locked.version : null
  const undo = useStore(session.state, ({ done }) => done.at(-1)?.label)
  const redo = useStore(session.state, ({ undone }) => undone.at(-1)?.label)
  const scope = filter.kind === 'scope' ? filter.scope : null
  const isTokenShown = token !== null
  const context = useMemo<ScopesContext>(
    () => ({ shown, steps: { undo, redo }, scope, onScope, locked, isTokenShown, onToken }),
    [shown, undo, redo, scope, onScope, locked, isTokenShown, onToken],
  )
  useCommands(scopesCommands, context)
  const sum = useMemo(() => openSum({ ...countOpen(rows, access), settings: settingsKind(access) }), [rows, access])
  return (
    <section className={styles['pane']} aria-label={`Scopes of ${visibleText(manifest.name)}`}>
      <div className={styles['bar']}>
        <div className={styles['search']}>
          <SearchBox label={texts.search} value={search} onSearch={setSearch} />
        </div>
        <FilterSelect filter={filter} offered={offered} onFilter={setFilter} />
        <div className={styles['tools']}>
          <CommandBar label={texts.tab} commands={scopesCommands} context={context} {...scopeButtons} />
        </div>
      </div>
      <p className={styles['sum']} aria-live="polite">
        {sum}
        {scope !== null &&
          ` ${texts.requiredBy(scope, { ...usesOf(rows, scope), isGlobal: defined.globalScopes.includes(scope) })}`}
      </p>
      <div className={styles['body']}>
        <ScopeMatrix
          shown={shown}
          rows={filtered}
          filterKey={`${term} ${filter.kind} ${scope ?? ''}`}
          isFiltered={filtered.length < rows.length}
          locked={locked}
          token={token}
          onScope={onScope}
        />
        {token !== null && (
          <TokenPanel
            rows={rows}
            access={access}
            offered={offered}
            usesDirectory={shown.usesDirectory}
            scopes={token}
            onScopes={setToken}
            onClose={onToken}
          />
        )}
      </div>
    </section>
  )
}

/** Rows that match, or did when the filter was set: a row that is edited stays until the next filter. */
function useFilteredRows(rows: readonly MatrixRow[], key: string, isMatch: (row: MatrixRow) => boolean) {
  const [matched, setMatched] = useState({ key: '', ids: new Set<number>() })
  if (matched.key !== key) setMatched({ key, ids: new Set(rows.filter(isMatch).map(({ id }) => id)) })
  return rows.filter(row => matched.ids.has(row.id) || isMatch(row))
}

type FilterSelectProps = {
  filter: MatrixFilter
  offered: readonly string[]
  onFilter: (filter: MatrixFilter) => void
}

/** Values of scopes begin with a mark that no other option has. */
const mark = '='

function FilterSelect({ filter, offered, onFilter }: FilterSelectProps) {
  const scopes = filter.kind === 'scope' && !offered.includes(filter.scope) ? [...offered, filter.scope] : offered
  return (
    <div className={styles['filter']}>
      <Select
        label={texts.show}
        hideLabel
        options={[
          { value: 'all', label: texts.filters.all },
          { value: 'open', label: texts.filters.open },
          ...scopes.map(scope => ({ value: `${mark}${scope}`, label: texts.filters.scope(scope) })),
        ]}
        value={filter.kind === 'scope' ? `${mark}${filter.scope}` : filter.kind}
        onChange={value => {
          if (value.startsWith(mark)) onFilter({ kind: 'scope', scope: value.slice(mark.length) })
          else onFilter({ kind: value === 'open' ? 'open' : 'all' })
        }}
      />
    </div>
  )
}
