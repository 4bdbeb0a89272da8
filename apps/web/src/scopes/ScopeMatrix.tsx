import { htmlOfCells, readTabbed, textOfCells } from '@cadmus/model/sheet/clipboard'
import { scopeMatrixTexts as texts } from '@cadmus/model/messages/scope-matrix'
import { apiOperations } from '@cadmus/model/required-scopes'
import { scopesOf } from '@cadmus/model/rules/scopes'
import { ShieldOff } from 'lucide-react'
import { useMemo, useState } from 'react'
import { openEntries } from '../commands/DocumentLink.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { notify } from '../ui/notices.ts'
import { Sheet } from '../ui/sheet/Sheet.tsx'
import type { SheetColumn } from '../ui/sheet/SheetRow.tsx'
import type { CopiedCells, SheetClipboard } from '../ui/sheet/sheet-clipboard.ts'
import { useLatest } from '../ui/use-latest.ts'
import { useMatrixColumns } from './matrix-columns.tsx'
import type { MatrixRow } from './matrix-rows.ts'
import { operationCells, type TextBlock, toggleExclusion, withoutShared, writeTexts } from './scope-changes.ts'
import styles from './Scopes.module.css'
import type { ShownScopes } from './use-scope-state.ts'

/** Media type of the columns of copied cells, beside text and HTML. */
const columnsMediaType = 'application/x-cadmus-operations'
/** From this number on the rows are shown in pages, as in the sheet of attributes. */
const pagedFrom = 500
/** The five operations are in view beside both side bars of a window of 1440 pixels. */
const firstWidths = { name: 200, ...Object.fromEntries(apiOperations.map(one => [one, 120])), manifest: 150 }
/** Scopes of a row that its menu lists. */
const maxEntries = 10
const [least, most] = [64, 640]

const nothing = () => undefined
const noProblems = new Map()
const noRows: ReadonlySet<string> = new Set()

type ScopeMatrixProps = {
  shown: ShownScopes
  /** The rows that match the filter. */
  rows: readonly MatrixRow[]
  /** Changes with the filter. */
  filterKey: string
  isFiltered: boolean
  locked: string | null
  /** Scopes of the token whose calls are marked; null: no token. */
  token: readonly string[] | null
  onScope: (scope: string) => void
}

/** Entities and the scopes of their operations, edited as a sheet. */
export function ScopeMatrix({ shown, rows, filterKey, isFiltered, locked, token, onScope }: ScopeMatrixProps) {
  const { defined, session } = shown
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>(firstWidths)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(noRows)
  // Scopes that are not in view must not be cleared.
  const selected = useMemo(() => {
    const shownIds = new Set(rows.map(row => String(row.id)))
    return chosen.isSubsetOf(shownIds) ? chosen : chosen.intersection(shownIds)
  }, [chosen, rows])
  const { scopeDefinitions } = defined
  const columns = useMatrixColumns(shown, token, onScope)

  /** Writes a block as one step, except rows that other manifests share, which the notice offers to write too. */
  function write(block: TextBlock, label: string = texts.steps.assign): boolean {
    const { own, shared } = withoutShared(shown, block)
    if (!writeWhole(own, label)) return false
    const count = shared.rows.length
    if (count === 0) return true
    const also = { label: texts.changeShared, run: () => void latest.writeWhole(shared, label) }
    notify('info', texts.leftShared(count), also)
    return true
  }

  function writeWhole(block: TextBlock, label: string): boolean {
    const change = writeTexts(shown, block)
    if ('problem' in change) {
      notify('error', change.problem)
      return false
    }
    const known = new Set(scopeDefinitions)
    const added = change.defined?.scopeDefinitions.filter(one => !known.has(one)) ?? []
    if (added[0] !== undefined && shown.configurationLocked !== null) {
      notify('info', texts.configurationLocked(added[0]))
      return false
    }
    return session.change(label, change, texts.done(label, change.entities.size, added))
  }
  // The notice may be pressed after other changes.
  const latest = useLatest({ writeWhole })

  const clear = (cells: CopiedCells | null) => {
    if (!cells) return
    const { rows: ids, columns: cleared } = cells
    write({ rows: ids.map(Number), columns: cleared, texts: ids.map(() => cleared.map(() => '')) }, texts.steps.clear)
  }
  const exclusionEntry = (cells: CopiedCells | null): MenuEntry => {
    const toggled = cells && toggleExclusion(shown, { rows: cells.rows.map(Number), columns: cells.columns })
    const { steps, commands } = texts
    const isExcluded = toggled?.isExcluded ?? false
    return {
      kind: 'item',
      id: 'exclude',
      label: isExcluded ? commands.serve : commands.exclude,
      disabled: locked ?? shown.configurationLocked ?? (toggled ? false : texts.unservedHints.noKey),
      run: () => {
        if (!toggled) return
        const { change, count } = toggled
        if (isExcluded) session.change(steps.serve, change, texts.served(count))
        else session.change(steps.exclude, change, texts.excluded(count))
      },
    }
  }
  const clipboard = useLatest<Omit<SheetClipboard, 'movesRows'>>({
    copy({ rows: ids, columns: columnIds }, data) {
      const byId = new Map(rows.map(row => [String(row.id), row]))
      const cells = ids.map(id => columnIds.map(column => textOf(byId.get(id), columns, column)))
      data.setData('text/plain', textOfCells(cells))
      data.setData('text/html', htmlOfCells(cells))
      data.setData(columnsMediaType, columnIds.join())
    },
    async paste(place, data) {
      const read = readTabbed(data.getData('text/plain'))
      if ('refusal' in read) {
        notify('info', read.refusal)
        return null
      }
      const copied = data.getData(columnsMediaType)
      const own = operationCells(read.cells, copied === '' ? null : copied.split(','), place.columns)
      const cells = repeated(own.cells, place.chosen)
      const pasted = { rows: place.rows.slice(0, cells.length), columns: own.columns.slice(0, cells[0]?.length ?? 0) }
      const lost = { rows: cells.length - pasted.rows.length, columns: (cells[0]?.length ?? 0) - pasted.columns.length }
      const block = { rows: pasted.rows.map(Number), columns: pasted.columns, texts: cells }
      if (!write(block, texts.steps.paste)) return null
      if (lost.rows > 0 || lost.columns > 0) notify('info', texts.cut(lost))
      return pasted
    },
  })

  return (
    <div className={styles['sheet']}>
      <Sheet
        label={texts.label}
        columns={columns}
        widths={widths}
        onResize={(column, width) =>
          setWidths(now => ({ ...now, [column]: Math.min(most, Math.max(least, width ?? firstWidths.name)) }))
        }
        rows={rows}
        rowId={row => String(row.id)}
        rowName={row => row.name}
        rowKind={() => ''}
        isPinned={() => false}
        fixed={{ rows: noRows, reason: '' }}
        selected={selected}
        onSelect={setChosen}
        reveal={null}
        onRevealed={nothing}
        locked={locked}
        growing={null}
        problems={noProblems}
        onWrite={(ids, columnIds, cells) => {
          write({ rows: ids.map(Number), columns: columnIds, texts: cells })
          return [...ids]
        }}
        onRevert={nothing}
        onTakeOffers={nothing}
        onDelete={clear}
        deleteLabel={texts.commands.clear}
        undeletable={false}
        onOpen={nothing}
        onNeighbour={nothing}
        entriesFor={(row, cells) => [
          ...openEntries({ kind: 'entity', id: row.id, name: row.name, path: row.path }),
          ...[...new Set(scopesOf(row))].slice(0, maxEntries).map(scope => ({
            kind: 'item' as const,
            id: `show ${scope}`,
            label: texts.showRequiring(scope),
            run: () => onScope(scope),
          })),
          exclusionEntry(cells),
          {
            kind: 'item',
            id: 'clear',
            label: texts.commands.clear,
            disabled: locked ?? false,
            run: () => clear(cells),
          },
        ]}
        filter={filterKey}
        pagedFrom={pagedFrom}
        empty={<EmptyState icon={ShieldOff} text={isFiltered ? texts.noMatch : texts.empty} />}
        clipboard={{ ...clipboard, movesRows: false }}
      />
    </div>
  )
}

function textOf(row: MatrixRow | undefined, columns: readonly SheetColumn<MatrixRow>[], id: string): string {
  const column = columns.find(one => one.id === id)
  return row && column ? column.text(row) : ''
}

/** One cell, or one row, is pasted into all rows of a larger choice. */
function repeated(cells: readonly (readonly string[])[], { rows, columns }: { rows: number; columns: number }) {
  const [first = []] = cells
  const line = (texts: readonly string[]) =>
    texts.length === 1 && columns > 1 ? Array.from({ length: columns }, () => texts[0] ?? '') : texts
  return cells.length === 1 && rows > 1 ? Array.from({ length: rows }, () => line(first)) : cells.map(line)
}
