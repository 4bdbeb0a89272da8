import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { messages } from '@cadmus/model/messages'
import { entityQuery } from './api/entities.ts'
import { messageOf } from './api/error.ts'
import { manifestQuery } from './api/manifests.ts'
import { queryClient } from './api/query-client.ts'
import { currentOrganisation } from './api/session-store.ts'
import { storage } from './api/storage.ts'
import { commandById } from './commands/registry.ts'
import { useAppContext } from './commands/use-app-context.ts'
import { Navigator } from './features/navigator/Navigator.tsx'
import { DialogHost } from './features/shell/DialogHost.tsx'
import { keptWidths } from './features/shell/widths.ts'
import { Workspace } from './features/shell/Workspace.tsx'
import { notify } from './ui/notices.ts'
import { useWorkbench, workbench } from './workbench/desk.ts'
import { tabIdOf, type DocumentRef } from './workbench/documents.ts'
import { settled } from './workbench/leave.ts'
import { fromStored, toStored } from './workbench/persist.ts'
import { dirtyTabs } from './workbench/workbench.ts'

/** The main workspace: the shell with the navigator in it. */
export function WorkspaceScreen() {
  const context = useAppContext()
  useStoredDesk()
  useAddress()
  useLeaveGuard()
  useWizardInAddress()
  return (
    <>
      <Workspace
        context={context}
        navigator={(view, search) => <Navigator key={view} view={view} search={search} context={context} />}
      />
      <DialogHost />
    </>
  )
}

/** Tabs, the chosen node and the panel's width outlive a reload; the reset flag drops them. */
function useStoredDesk() {
  useEffect(() => {
    if (storage.read('reset') !== null) {
      for (const key of ['reset', 'desk', 'selectedNode', 'coreSchemaVersion'] as const) storage.remove(key)
    }
    const kept = fromStored(storage.readJson('desk'), currentOrganisation())
    if (kept && workbench.getState().tabs.length === 0) workbench.setState(kept)
    workbench.getState().set({ selectedNode: storage.read('selectedNode'), widths: keptWidths() })
    storage.write('lastVisit', '/')
    return workbench.subscribe((state, before) => {
      if (state.tabs !== before.tabs || state.active !== before.active)
        storage.writeJson('desk', toStored(state, currentOrganisation()))
      if (state.selectedNode === null && before.selectedNode !== null) storage.remove('selectedNode')
    })
  }, [])
}

/** Keeps the address and the shown tab together, both ways. */
function useAddress() {
  const search = useSearch({ from: '/' })
  const navigate = useNavigate({ from: '/' })
  const active = useWorkbench(state => state.tabs.find(tab => tab.tabId === state.active) ?? null)
  const shown = active ? `${active.kind}:${active.id}` : ''
  const addressed = search.entity ? `entity:${search.entity}` : search.manifest ? `manifest:${search.manifest}` : ''

  // While what the address names is being opened, the address is right and the tab is not.
  const following = useRef(true)

  const toAddress = useEffectEvent(() => {
    if (following.current || shown === addressed) return
    void navigate({ search: active ? { [active.kind]: active.id } : {} })
  })
  const fromAddress = useEffectEvent(async () => {
    const kind = search.entity ? 'entity' : 'manifest'
    const id = search.entity ?? search.manifest
    if (id !== undefined && addressed !== shown) {
      following.current = true
      await openById(kind, id)
    }
    following.current = false
    toAddress()
  })
  useEffect(() => void fromAddress(), [addressed])
  useEffect(() => toAddress(), [shown])
}

/** Opens what an address names; what is not there (any more) leaves the desk as it is. */
async function openById(kind: DocumentRef['kind'], id: number): Promise<void> {
  const known = workbench.getState().tabs.find(tab => tab.tabId === tabIdOf({ kind, id }))
  if (known) {
    workbench.getState().activate(known.tabId)
    return
  }
  try {
    const name =
      kind === 'entity'
        ? (await queryClient.query(entityQuery(id))).entity.name
        : (await queryClient.query(manifestQuery(id))).manifest.name
    workbench.getState().open({ kind, id, name })
  } catch (error) {
    notify('error', messageOf(error, messages.failed.unexpected))
    const active = workbench.getState().active
    if (active) workbench.getState().activate(active)
  }
}

/** Leaving with unsaved changes asks, whether by the browser or inside the page. */
function useLeaveGuard() {
  useBlocker({
    // Inside the workspace the tabs ask; this is for leaving it.
    shouldBlockFn: async ({ next }) => next.pathname !== '/' && !(await settled(workbench, workbench.getState().tabs)),
    enableBeforeUnload: () => dirtyTabs(workbench.getState()).length > 0,
  })
}

/** /?manifestWizard=open */
function useWizardInAddress() {
  const { manifestWizard, entity, manifest } = useSearch({ from: '/' })
  const navigate = useNavigate({ from: '/' })
  const context = useAppContext()
  // Whether there is a manifest to duplicate is the wizard's first question.
  const known = context.hasManifests !== undefined
  const wanted = useRef(false)
  const open = useEffectEvent(() => {
    if (manifestWizard === 'open') {
      // At once: the address is about to follow the shown tab, and a reload must not ask again.
      wanted.current = true
      void navigate({ search: { entity, manifest }, replace: true })
    }
    if (!wanted.current || !known) return
    wanted.current = false
    void commandById('manifest.new')?.run(context)
  })
  useEffect(() => open(), [manifestWizard, known])
}
