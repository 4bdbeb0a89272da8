// Runs before the first paint. The system's theme holds until a person chooses one.
;(function () {
  try {
    const theme = localStorage.getItem('cadmus.theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    if (localStorage.getItem('cadmus.density') === 'comfortable')
      document.documentElement.dataset.density = 'comfortable'
  } catch {
    // Storage may be switched off: then the system's theme holds.
  }
})()
