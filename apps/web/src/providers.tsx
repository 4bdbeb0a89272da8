import { CSPProvider } from '@base-ui/react/csp-provider'
import { limits } from '@cadmus/model/limits'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from './api/query-client.ts'
import { SnackbarHost } from './ui/Snackbar.tsx'
import { TooltipHost } from './ui/Tooltip.tsx'
import { UiSettingsContext, type UiSettings } from './ui/settings.ts'

export const uiSettings: UiSettings = {
  searchDebounce: limits.searchDebounce,
  editorDebounce: limits.editorDebounce,
  skeletonDelay: limits.skeletonDelay,
  dropdownHeight: limits.dropdownMenuHeight,
  optionPageSize: limits.pickerPageSize,
  tablePageSizes: limits.tablePageSizes,
  tablePageSize: limits.defaultTablePageSize,
  shownChips: limits.shownScopes,
  snackbars: limits.maxSnackbars,
}

export function Providers({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <UiSettingsContext value={uiSettings}>
          {children}
          <SnackbarHost />
          <TooltipHost />
        </UiSettingsContext>
      </QueryClientProvider>
    </CSPProvider>
  )
}
