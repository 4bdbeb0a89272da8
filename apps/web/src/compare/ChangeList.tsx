import { type EntityChangeKind, type EntityComparison, entityChangeKinds } from '@cadmus/model/contract/comparison'
import { formatCount } from '@cadmus/model/display'
import { compareTexts as texts } from '@cadmus/model/messages/compare'
import { ListX } from 'lucide-react'
import { Fragment, useMemo } from 'react'
import { openEntries } from '../commands/DocumentLink.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { Tree, type TreeRow } from '../ui/Tree.tsx'
import type { ChangeFilter, ChangeItem } from './change-list.ts'
import { countKinds } from './change-list.ts'
import styles from './Compare.module.css'
import { KindSign } from './KindSign.tsx'

type ChangeListProps = {
  items: readonly ChangeItem[]
  rows: readonly TreeRow[]
  /** Number of lines that the filter leaves. */
  shown: number
  selected: string | null
  filter: ChangeFilter
  onFilter: (filter: ChangeFilter) => void
  onOpen: (id: string) => void
  onToggle: (id: string) => void
  /** What stands below the list. */
  notes: readonly string[]
}

/** The changed entities and the changes of the manifest itself, filtered by kind and name. */
export function ChangeList({ items, rows, shown, selected, filter, notes, ...on }: ChangeListProps) {
  const counts = useMemo(() => countKinds(items), [items])
  const byId = useMemo(() => new Map(items.map(item => [item.id, item])), [items])

  function toggle(kind: EntityChangeKind) {
    const kinds = new Set(filter.kinds)
    if (!kinds.delete(kind)) kinds.add(kind)
    on.onFilter({ ...filter, kinds })
  }

  return (
    <section className={styles['list']} aria-label={texts.list.label}>
      <div className={styles['filters']}>
        <SearchBox
          label={texts.list.search}
          value={filter.search}
          onSearch={search => on.onFilter({ ...filter, search })}
        />
        <fieldset className={styles['kinds']}>
          <legend className="visually-hidden">{texts.list.filters}</legend>
          {entityChangeKinds
            .filter(kind => counts.has(kind) || filter.kinds.has(kind))
            .map(kind => (
              <button
                key={kind}
                type="button"
                className={styles['kind']}
                aria-pressed={filter.kinds.has(kind)}
                onClick={() => toggle(kind)}
              >
                <KindSign kind={kind} /> <span>{formatCount(counts.get(kind) ?? 0)}</span>
              </button>
            ))}
        </fieldset>
      </div>
      {rows.length === 0 ? (
        <EmptyState icon={ListX} text={texts.list.none} />
      ) : (
        <Tree
          label={texts.list.label}
          rows={rows}
          selected={selected}
          onOpen={id => (byId.has(id) ? on.onOpen(id) : on.onToggle(id))}
          onToggle={on.onToggle}
          onMore={() => undefined}
          entriesFor={id => entriesOf(byId.get(id)?.entity)}
          after={id => signs(byId.get(id)?.kinds)}
        />
      )}
      <div className={styles['notes']}>
        <output>{texts.list.summary(shown, items.length)}</output>
        {notes.map(note => (
          <p key={note}>{note}</p>
        ))}
      </div>
    </section>
  )
}

function entriesOf(entity: EntityComparison | null | undefined): MenuEntry[] {
  const place = entity?.after ?? entity?.before
  return place ? openEntries({ kind: 'entity', id: place.id, name: place.name, path: place.path }) : []
}

function signs(kinds: readonly EntityChangeKind[] | undefined) {
  if (!kinds) return undefined
  return (
    <span className={styles['signs']}>
      {kinds.map((kind, index) => (
        <Fragment key={kind}>
          {' '}
          <KindSign kind={kind} isShort={index > 0} />
        </Fragment>
      ))}
    </span>
  )
}
