// Runs before the first paint and before the page's own code is here.
;(function () {
  try {
    // The system's theme holds until a person chooses one.
    const theme = localStorage.getItem('cadmus.theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    if (localStorage.getItem('cadmus.density') === 'comfortable')
      document.documentElement.dataset.density = 'comfortable'
    askAhead()
  } catch {
    // Storage may be disabled: then the system's theme applies, and the page sends the requests itself.
  }

  // Early requests of the workspace by address; `api/early-responses.ts` uses the responses and drops unused ones.
  function askAhead() {
    const login = JSON.parse(localStorage.getItem('cadmus.login') ?? 'null')
    const isSignedIn = document.cookie.split('; ').some(cookie => cookie.startsWith('cadmus_signed_in='))
    if (location.pathname !== '/' || !isSignedIn || !login?.organisationCode) return
    const organisation = { accept: 'application/json', 'x-organisation-code': login.organisationCode }
    const ask = (address, headers) => [address, fetch(address, { headers, priority: 'high' }).catch(() => null)]
    globalThis.cadmusAhead = {
      organisation: login.organisationCode,
      answers: new Map([
        ask('/1.0/cdm/sso/session', { ...organisation, 'x-cadmus': '1' }),
        ask('/1.0/cdm/entity?page=0&limit=20&filter=PRIVATE', organisation),
        ask('/1.0/cdm/manifest?page=0&limit=20&filter=PRIVATE', organisation),
      ]),
    }
  }
})()
