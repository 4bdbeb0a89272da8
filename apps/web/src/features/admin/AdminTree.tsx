import { Building2, Plus } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { OrganisationItem } from '@cadmus/model/contract/admin-organisation'
import { messages } from '@cadmus/model/messages'
import { messageOf } from '../../api/error.ts'
import { ownManifestCountQuery } from '../../api/lists.ts'
import { useCoreSchema } from '../../api/navigator.ts'
import { useOrganisations } from '../../api/organisations.ts'
import { queryClient } from '../../api/query-client.ts'
import { administratorOf, currentScope, useScope } from '../../api/scope.ts'
import { type Command, runByKey } from '../../commands/command.ts'
import { type AppContext, documentOf } from '../../commands/context.ts'
import { entriesOf } from '../../commands/entries.ts'
import { shortcutOf } from '../../commands/keys.ts'
import { commandsAt } from '../../commands/registry.ts'
import { navigate } from '../../navigation.ts'
import { indexCore } from '../../tree/core-index.ts'
import {
  isUnsaved,
  type NavNode,
  organisationNode,
  organisationOf,
  requiredBranches,
  waiting,
} from '../../tree/tree-model.ts'
import { treeRows } from '../../tree/tree-rows.ts'
import { useBranches } from '../../tree/use-branches.ts'
import { type StoredFolding, useFolding } from '../../tree/use-folding.ts'
import { useReveal } from '../../tree/use-reveal.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { Tree, type TreeRow } from '../../ui/Tree.tsx'
import { toTree } from '../../ui/tree-moves.ts'
import { organisationDocument } from '../../workbench/address.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import type { DocumentRef } from '../../workbench/documents.ts'
import { leaveDocument, openAlone, showAlone, useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import styles from './Admin.module.css'
import { createOrganisationDialog } from './dialogs.ts'

/** Maximum number of pages read to find the organisation of the address. Organisations further down are not searched. */
const maxPages = 10

/** Reads pages until the organisation in the address has a row in the tree, as after a reload. */
function useRevealedOrganisation(
  code: string | undefined,
  loaded: readonly OrganisationItem[],
  { data, hasNextPage, isFetching, fetchNextPage }: ReturnType<typeof useOrganisations>,
): void {
  const pages = data?.pages.length ?? 0
  const isMissing = code !== undefined && pages > 0 && !loaded.some(organisation => organisation.code === code)
  const readNext = useEffectEvent(() => {
    if (isMissing && hasNextPage && !isFetching && pages < maxPages) void fetchNextPage()
  })
  useEffect(() => readNext(), [isMissing, hasNextPage, isFetching, pages])
}

/** Only the organisation in the address is unfolded after a reload; other folding is not stored. */
function unfoldedAt(organisation: string): StoredFolding {
  return { first: () => (organisation === '' ? [] : [organisationNode(organisation)]), keep: () => undefined }
}

const moreRow = 'organisations>more'
const errorRow = 'organisations>error'

/** The predefined structure, then the organisations in pages of twenty. The search matches organisations only. */
export function AdminTree({ context }: { context: AppContext }) {
  const { organisation } = useScope()
  const [search, setSearch] = useState('')
  const selected = useWorkbench(state => state.selectedNode)
  const active = useWorkbench(state => state.tabs.find(tab => tab.tabId === state.active))
  const drafts = useWorkbench(state => state.drafts)
  const organisations = useOrganisations(search)
  const { loaded, total } = loadedIn(organisations.data)
  useRevealedOrganisation(search === '' && organisation !== '' ? organisation : undefined, loaded, organisations)
  // The predefined structure is read through an organisation too; all organisations return the same structure.
  const currentCode = organisation || (loaded[0]?.code ?? '')
  const core = useCoreSchema(administratorOf(currentCode))
  const index = useMemo(() => (core.data ? indexCore(core.data.nodes) : null), [core.data])
  const [folding] = useState(() => unfoldedAt(organisation))
  const fold = useFolding('', folding)
  const roots = [...(search === '' && currentCode !== '' ? [standard] : []), ...loaded.map(nodeOf)]
  const branches = requiredBranches(
    roots.map(({ id }) => id),
    fold.isExpanded,
    fold.expanded,
  )
  const { states, retry } = useBranches(branches, fold.pagesOf, '')
  const { rows, nodes } = treeRows({
    roots,
    more: lastRow(organisations, { shown: loaded.length, total }),
    movable: false,
    search: '',
    core: index,
    coreError: core.isError ? messageOf(core.error, messages.failed.unexpected) : null,
    isExpanded: fold.isExpanded,
    pagesOf: fold.pagesOf,
    branch: branch => states.get(branch.id) ?? waiting,
    isDirty: node => isUnsaved(node, drafts),
  })
  useReveal({
    place: { root: 'standard', own: organisation === '' ? null : organisationNode(organisation) },
    search,
    nodes,
    core: index,
    states,
    fold,
    choose: id => workbench.getState().set({ selectedNode: id }),
    // A document can have several rows: select the row that opened it.
    preferredParent: active && selected?.endsWith(`>${active.kind}:${active.id}`) ? selected : null,
  })

  const commands = useMemo(() => commandsAt('admin'), [])
  const create = () =>
    openDialog(createOrganisationDialog, {
      onCreated: ({ code }) => {
        setSearch('')
        void openOrganisation(code)
      },
    })

  function open(id: string) {
    const node = nodes.get(id)
    if (!node) return
    const document = documentOf(node.target)
    if (node.target.kind === 'organisation') {
      const { code } = node.target
      if (id === selected && organisation === code) fold.toggle(id)
      else fold.unfold([id])
      void openOrganisation(code)
    } else if (document) {
      // Predefined documents open in the current organisation.
      void openIn(organisationOf(id) ?? currentCode, document, id)
    } else if (node.expandable) {
      workbench.getState().set({ selectedNode: id })
      fold.toggle(id)
    }
  }

  function more(id: string) {
    const parent = id.slice(0, id.lastIndexOf('>'))
    if (id === moreRow) void organisations.fetchNextPage()
    else if (id === errorRow) void organisations.refetch()
    else if (!id.endsWith('>error')) fold.more(parent)
    else if (states.has(parent)) retry(parent)
    else void core.refetch()
  }

  /** Runs commands in the organisation of the row. */
  const placed = (id: string) => (command: Command<AppContext>) => ({
    ...command,
    run: (appContext: AppContext) =>
      inOrganisation(organisationOf(id) ?? currentCode, () => void command.run(appContext)),
  })
  const isEmpty = !organisations.isPending && !organisations.error && loaded.length === 0
  return (
    <>
      <header className={styles['head']}>
        <h2>Organisations</h2>
        <IconButton label="Create Organisation" icon={Plus} onClick={create} />
      </header>
      <div className={styles['search']}>
        <SearchBox label="Search organisations" value={search} onSearch={setSearch} onDown={toTree} />
      </div>
      <div className={styles['list']} data-empty={isEmpty || undefined}>
        <Tree
          label="Organisations"
          rows={rows}
          selected={rows.some(row => row.id === selected) ? selected : null}
          onToggle={fold.toggle}
          onOpen={open}
          onMore={more}
          entriesFor={id => {
            const node = nodes.get(id)
            const own = node ? entriesOf(commands.map(placed(id)), { ...context, target: node.target }) : []
            if (node?.target.kind !== 'organisation') return own
            const line = { kind: 'separator' as const, id: 'line' }
            return [...own, line, { kind: 'item', id: 'create', label: 'Create Organisation', icon: Plus, run: create }]
          }}
          onKey={(id, event) => {
            const node = nodes.get(id)
            const shortcut = shortcutOf(event)
            const matching = [...commands, ...commandsAt('row')].filter(command => command.shortcut === shortcut)
            if (node) runByKey(matching.map(placed(id)), { ...context, target: node.target })
            return node !== undefined && matching.length > 0
          }}
        />
        {isEmpty && (
          <EmptyState
            icon={Building2}
            text={search === '' ? 'No organisations to display.' : 'No organisations found'}
          />
        )}
      </div>
    </>
  )
}

const standard: NavNode = {
  id: 'standard',
  label: 'Standard',
  target: { kind: 'workspace', workspace: 'standard' },
  expandable: true,
}

function nodeOf({ code, name }: OrganisationItem): NavNode {
  return {
    id: organisationNode(code),
    label: name,
    detail: code,
    target: { kind: 'organisation', code, name },
    expandable: true,
  }
}

type Organisations = ReturnType<typeof useOrganisations>

/** Removes duplicates: an organisation created between two reads moves other rows onto the next page. */
function loadedIn(data: Organisations['data']): { loaded: readonly OrganisationItem[]; total: number } {
  const all = data?.pages.flatMap(page => page.organisations) ?? []
  const loaded = [...new Map(all.map(organisation => [organisation.code, organisation])).values()]
  return { loaded, total: data?.pages.at(-1)?.totalElements ?? 0 }
}

function lastRow(
  { error, isFetching }: Pick<Organisations, 'error' | 'isFetching'>,
  { shown, total }: { shown: number; total: number },
): TreeRow | undefined {
  const line = { level: 1, expanded: null, posInSet: shown + 1, setSize: shown + 1 }
  if (error) return { ...line, id: errorRow, kind: 'error', label: messageOf(error, messages.failed.unexpected) }
  if (isFetching && shown === 0) return { ...line, id: moreRow, kind: 'loading', label: 'Loading' }
  return shown < total ? { ...line, id: moreRow, kind: 'more', label: 'Show more' } : undefined
}

/** Opens a document in an organisation; `node`: its tree row. Resolves to false if the user cancelled. */
async function openIn(organisation: string, document: DocumentRef, node: string): Promise<boolean> {
  if (currentScope().organisation === organisation) return openAlone(document, node)
  if (!(await leaveDocument())) return false
  const { kind, id } = document
  navigate({ to: '/admin', search: { org: organisation, ...(kind === 'organisation' ? {} : { [kind]: id }) } })
  workbench.getState().set({ selectedNode: node })
  showAlone(document)
  return true
}

async function openOrganisation(code: string): Promise<boolean> {
  return openIn(code, { ...organisationDocument, name: code }, organisationNode(code))
}

/** Runs work in an organisation, opening it first if needed. */
async function inOrganisation(code: string, work: () => void): Promise<void> {
  if (currentScope().organisation !== code) {
    if (!(await openOrganisation(code))) return
    // Commands depend on the count; a failure is reported by the work itself.
    await queryClient.ensureQueryData(ownManifestCountQuery()).catch(() => undefined)
    // The user has opened another organisation in the meantime.
    if (currentScope().organisation !== code) return
  }
  work()
}
