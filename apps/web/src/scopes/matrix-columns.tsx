import { consequenceTexts } from '@cadmus/model/messages/compare-consequences'
import { scopeMatrixTexts as texts } from '@cadmus/model/messages/scope-matrix'
import { apiOperations } from '@cadmus/model/required-scopes'
import { Share2 } from 'lucide-react'
import { useMemo } from 'react'
import { DocumentLink } from '../commands/DocumentLink.tsx'
import type { SheetColumn } from '../ui/sheet/SheetRow.tsx'
import { tip } from '../ui/Tooltip.tsx'
import type { MatrixRow } from './matrix-rows.ts'
import { fieldOf, textOfScopes } from './scope-changes.ts'
import { ScopeCell } from './ScopeCell.tsx'
import styles from './Scopes.module.css'
import type { ShownScopes } from './use-scope-state.ts'

/** The columns of the scope matrix. `token`: scopes of the token whose calls are marked; null: no token. */
export function useMatrixColumns(
  { access, defined: { scopeDefinitions }, hasManifests }: ShownScopes,
  token: readonly string[] | null,
  onScope: (scope: string) => void,
): SheetColumn<MatrixRow>[] {
  return useMemo(() => {
    const held = token === null ? null : new Set(token)
    const known = new Set(scopeDefinitions)
    const all: SheetColumn<MatrixRow>[] = [
      {
        id: 'name',
        header: texts.columns.name,
        text: row => row.name,
        isEditable: () => false,
        cell: ({ id, name, path, sharedWith }) => (
          <span className={styles['name']}>
            <DocumentLink document={{ kind: 'entity', id, name, path }} inRow>
              {name}
            </DocumentLink>
            {sharedWith.length > 0 && (
              <span className={styles['shared']} {...tip(texts.sharedWith(sharedWith))}>
                <Share2 size={12} aria-hidden />
                <span className="visually-hidden">{texts.sharedWith(sharedWith)}</span>
              </span>
            )}
          </span>
        ),
      },
      ...apiOperations.map(operation => ({
        id: operation,
        header: consequenceTexts.scopes.operations[operation],
        mono: true,
        isList: true,
        text: (row: MatrixRow) => textOfScopes(row.operationScopes[fieldOf(operation)]),
        cell: (row: MatrixRow) => <ScopeCell {...{ row, operation, access, defined: known, held, onScope }} />,
        options: () => scopeDefinitions,
      })),
    ]
    const manifest = {
      id: 'manifest',
      header: texts.columns.manifest,
      text: (row: MatrixRow) => row.manifest,
      isEditable: () => false,
    }
    return hasManifests ? [...all, manifest] : all
  }, [token, hasManifests, access, scopeDefinitions, onScope])
}
