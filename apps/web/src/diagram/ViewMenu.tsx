import { visibleText } from '@cadmus/model/display'
import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { newUid } from '@cadmus/model/uid'
import { ChevronDown, PencilLine, Save, Trash2 } from 'lucide-react'
import { changeDiagramView, deleteDiagramView, type DiagramViewSummary } from '../api/diagram.ts'
import { messageOf } from '../api/error.ts'
import { currentScope } from '../api/scope.ts'
import { Button } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { ToolbarButton } from '../ui/Toolbar.tsx'
import { notify } from '../ui/notices.ts'
import { confirm } from '../workbench/confirm.ts'
import { defineDialog, openDialog } from '../workbench/dialogs.ts'
import styles from './Diagram.module.css'
import type { ViewDialogProps } from './ViewDialog.tsx'
import type { DiagramState } from './diagram-state.ts'
import type { DiagramStore } from './diagram-store.ts'
import { type ManifestDiagram, type ShownManifest, storeView } from './manifest-diagram.ts'

export type ViewMenuProps = {
  manifest: ShownManifest
  diagram: ManifestDiagram & { store: DiagramStore }
  state: DiagramState
}

const { views: texts, commands } = viewTexts

const viewDialog = defineDialog<Omit<ViewDialogProps, 'onClose'>>('diagram-view', () =>
  import('./ViewDialog.tsx').then(module => module.ViewDialog),
)

/** The views of a manifest: which one is shown, and what can be done with it. */
export function ViewMenu(props: ViewMenuProps) {
  const { name } = props.state.session.stored
  return (
    <Menu
      align="start"
      entries={entriesOfViews(props)}
      trigger={
        <ToolbarButton
          render={
            <Button variant="quiet" data-tour="diagram.views" aria-label={texts.menu(name)}>
              <span className={styles['viewName']}>{visibleText(name)}</span>
              <ChevronDown size={14} aria-hidden />
            </Button>
          }
        />
      }
    />
  )
}

function entriesOfViews({ manifest, diagram, state }: ViewMenuProps): MenuEntry[] {
  const { stored } = state.session
  const group = (label: string, views: readonly DiagramViewSummary[]): MenuEntry[] =>
    views.length === 0
      ? []
      : [
          { kind: 'heading', id: label, label },
          ...views.map(({ uid, name }): MenuEntry => ({
            kind: 'item',
            id: uid,
            label: name,
            checked: uid === stored.uid,
            run: () => diagram.showView(uid),
          })),
        ]
  const isStored = stored.uid !== ''
  const locked = isStored ? !state.session.sends && texts.locked : texts.notStored
  return [
    ...group(
      texts.shared,
      diagram.views.filter(({ shared }) => shared),
    ),
    ...group(
      texts.personal,
      diagram.views.filter(({ shared }) => !shared),
    ),
    { kind: 'separator', id: 'commands' },
    {
      kind: 'item',
      id: 'save',
      label: commands.saveView,
      icon: Save,
      disabled: manifest.version === undefined ? false : texts.ofVersion,
      run: () => saveAsView({ manifest, diagram, state }),
    },
    {
      kind: 'item',
      id: 'rename',
      label: commands.renameView,
      icon: PencilLine,
      disabled: locked,
      run: () => renameView({ manifest, diagram, state }),
    },
    {
      kind: 'item',
      id: 'delete',
      label: commands.deleteView,
      icon: Trash2,
      danger: true,
      disabled: locked,
      run: () => void deleteView({ manifest, diagram, state }),
    },
  ]
}

export function saveAsView({ manifest, diagram, state }: ViewMenuProps): void {
  const { store, views, showView } = diagram
  const { stored } = state.session
  openDialog(viewDialog, {
    title: commands.saveView,
    name: freeName(stored.uid === '' ? stored.name : viewTexts.copyOf(stored.name), views),
    shared: { value: false, locked: manifest.mayEdit ? null : texts.onlyEditors },
    submitLabel: 'Save',
    async onSave({ name, shared }) {
      const { placements, detail } = store.get().session
      const place = { manifestId: manifest.id, scope: currentScope() }
      const view = await storeView(place, { name, shared, detail, placements })
      store.store(view)
      showView(view.uid)
    },
  })
}

function renameView({ manifest, diagram, state }: ViewMenuProps): void {
  const { uid, name: before, revision: base } = state.session.stored
  openDialog(viewDialog, {
    title: commands.renameView,
    name: before,
    submitLabel: 'Rename',
    async onSave({ name }) {
      const place = { manifestId: manifest.id, scope: currentScope(), uid }
      await changeDiagramView(place, { operationId: newUid(), base, name })
      await diagram.refreshViews()
    },
  })
}

async function deleteView({ manifest, diagram, state }: ViewMenuProps): Promise<void> {
  const { uid, name, shared } = state.session.stored
  const text = texts.deleteText(name, shared)
  if (!(await confirm({ title: commands.deleteView, text, confirmLabel: 'Delete', danger: true }))) return
  try {
    await deleteDiagramView({ manifestId: manifest.id, scope: currentScope(), uid })
    diagram.store.drop(uid)
    diagram.showView(undefined)
  } catch (failure) {
    notify('error', messageOf(failure, texts.notDeleted))
  }
}

/** A name that no view has yet. */
function freeName(name: string, views: readonly DiagramViewSummary[]): string {
  const taken = new Set(views.map(view => view.name))
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`
  return free
}
