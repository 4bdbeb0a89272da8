import { folderOf } from '@cadmus/model/paths'
import { visibleText } from '@cadmus/model/display'
import { ChevronDown, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '../../ui/Button.tsx'
import { ContextMenu } from '../../ui/ContextMenu.tsx'
import { FolderPath } from '../../ui/FolderPath.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { tip } from '../../ui/Tooltip.tsx'
import type { MenuEntry } from '../../ui/MenuEntries.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { documentKind } from '../../workbench/document-kinds.ts'
import { ambiguousTabs, type Tab } from '../../workbench/documents.ts'
import { closeTabs } from '../../workbench/leave.ts'
import { closing, type CloseWhich, shownTabs } from '../../workbench/tabs.ts'
import styles from './TabStrip.module.css'

const closeCommands: readonly { scope: CloseWhich; label: string; shortcut?: string }[] = [
  { scope: 'one', label: 'Close', shortcut: 'alt+w' },
  { scope: 'all', label: 'Close All' },
  { scope: 'others', label: 'Close Others' },
  { scope: 'right', label: 'Close Tabs to the Right' },
  { scope: 'left', label: 'Close Tabs to the Left' },
]

/** The open documents. Arrow keys switch tabs, Delete closes one; the × is for pointers only. */
export function TabStrip() {
  const open = useWorkbench(state => state.tabs)
  const tabs = useMemo(() => shownTabs(open), [open])
  const active = useWorkbench(state => state.active)
  const drafts = useWorkbench(state => state.drafts)
  const ambiguous = useMemo(() => ambiguousTabs(tabs), [tabs])
  const strip = useRef<HTMLDivElement>(null)
  const [isOverflowing, setOverflowing] = useState(false)

  useEffect(() => {
    const list = strip.current
    if (!list) return
    const show = () => {
      setOverflowing(list.scrollWidth > list.clientWidth)
      list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    show()
    // Resizing or a longer name could hide a part of the active tab.
    const watcher = new ResizeObserver(show)
    watcher.observe(list)
    return () => watcher.disconnect()
  }, [active, tabs])

  // The focus follows the active tab.
  useEffect(() => {
    if (strip.current?.contains(document.activeElement)) focusShown(strip.current)
  }, [active])

  function key(event: KeyboardEvent, index: number) {
    const last = tabs.length - 1
    const moves: Record<string, number> = {
      ArrowRight: index === last ? 0 : index + 1,
      ArrowLeft: index === 0 ? last : index - 1,
      Home: 0,
      End: last,
      // Only without an active tab, as on the home screen, is another one focused.
      Enter: index,
      ' ': index,
    }
    const tab = tabs[index]
    const next = tabs[moves[event.key] ?? -1]
    if (event.key === 'Delete' && tab) void closeTabs(workbench, tab.tabId, 'one')
    if (!next || event.altKey) return
    event.preventDefault()
    workbench.getState().activate(next.tabId)
    if (strip.current) focusShown(strip.current)
  }

  const list = (
    <div
      ref={strip}
      role="tablist"
      aria-label="Open documents"
      className={styles['strip']}
      onFocus={event => focusShown(event.currentTarget)}
    >
      {tabs.map((tab, index) => (
        <DocumentTab
          key={tab.tabId}
          tab={tab}
          active={tab.tabId === active}
          focusable={active === null ? index === 0 : tab.tabId === active}
          dirty={drafts.has(tab.tabId)}
          folder={tab.path !== undefined && ambiguous.has(tab.tabId) ? folderOf(tab.path) : null}
          onKey={event => key(event, index)}
        />
      ))}
    </div>
  )
  return (
    <div className={styles['bar']}>
      <ContextMenu render={list} entriesFor={id => tabEntries(tabs.find(tab => tab.tabId === id))} />
      {isOverflowing && (
        <div className={styles['all']}>
          <Menu
            entries={tabs.map(tab => allEntry(tab, tab.tabId === active, drafts.has(tab.tabId)))}
            trigger={
              <Button variant="quiet" icon={ChevronDown} aria-label={`All ${tabs.length} open documents`}>
                {tabs.length}
              </Button>
            }
          />
        </div>
      )}
    </div>
  )
}

/** Names are ambiguous in a long list, so each has its folder. */
function allEntry({ tabId, kind, name, path }: Tab, isActive: boolean, isDirty: boolean): MenuEntry {
  const icon = documentKind(kind)?.icon
  const details = [path === undefined ? '' : folderOf(path), isDirty ? 'unsaved' : '']
  return {
    kind: 'item',
    id: tabId,
    label: name,
    detail: details.filter(detail => detail !== '').join(', '),
    checked: isActive,
    run: () => workbench.getState().activate(tabId),
    ...(icon ? { icon } : {}),
  }
}

/** A closing dialog may return the focus to an inactive tab, where Delete would close it unnoticed. */
function focusShown(strip: HTMLElement): void {
  const shown = strip.querySelector<HTMLElement>(`[data-row-id="${workbench.getState().active}"]`)
  // No scrolling while another tab is being pressed.
  if (shown !== document.activeElement) shown?.focus({ preventScroll: true })
}

/** Close commands that would close only this tab are omitted, except Close. */
function tabEntries(tab: Tab | undefined): MenuEntry[] {
  if (!tab) return []
  const state = workbench.getState()
  return closeCommands
    .filter(({ scope }) => {
      if (scope === 'one') return true
      if (scope === 'all') return shownTabs(state.tabs).length > 1
      return closing(state, tab.tabId, scope).length > 0
    })
    .map(({ scope, label, shortcut }) => ({
      kind: 'item',
      id: scope,
      label,
      run: () => void closeTabs(workbench, tab.tabId, scope),
      ...(shortcut ? { shortcut } : {}),
    }))
}

type DocumentTabProps = {
  tab: Tab
  active: boolean
  /** Whether it is in the tab order: the active one, else the first. */
  focusable: boolean
  dirty: boolean
  /** The folder, if another tab has the same name. */
  folder: string | null
  onKey: (event: KeyboardEvent) => void
}

function DocumentTab({ tab, active, focusable, dirty, folder, onKey }: DocumentTabProps) {
  const Symbol = documentKind(tab.kind)?.icon
  return (
    <div
      role="tab"
      id={`tab-${tab.tabId}`}
      data-row-id={tab.tabId}
      aria-selected={active}
      aria-controls={active ? 'document' : undefined}
      aria-keyshortcuts="Delete"
      tabIndex={focusable ? 0 : -1}
      {...tip(tab.path ?? tab.name)}
      className={classNames(styles['tab'], tab.preview && styles['preview'], folder !== null && styles['alike'])}
      onClick={() => workbench.getState().activate(tab.tabId)}
      onDoubleClick={() => workbench.getState().keep(tab.tabId)}
      onAuxClick={event => {
        if (event.button === 1) void closeTabs(workbench, tab.tabId, 'one')
      }}
      onKeyDown={onKey}
    >
      {Symbol && <Symbol size={14} strokeWidth={1.75} aria-hidden className={styles['icon']} />}
      <span className={styles['label']}>{visibleText(tab.name)}</span>
      {folder !== null && <FolderPath folder={folder} className={styles['folder']} />}
      {dirty && <span className="visually-hidden">, unsaved changes</span>}
      {/* Pointer only: a button must not nest inside a tab. Delete, Alt+W and the menu do the same. */}
      <span
        aria-hidden
        data-close
        className={classNames(styles['close'], dirty && styles['dirty'])}
        onClick={event => {
          event.stopPropagation()
          void closeTabs(workbench, tab.tabId, 'one')
        }}
      >
        <X size={14} />
      </span>
    </div>
  )
}
