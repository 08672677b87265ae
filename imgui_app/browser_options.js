// Runs before the module's own functions get their names: the page's option `query` would be lost under the function query().
Module['options'] = { 'query': Module['query'], 'dark': Module['dark'], 'view': Module['view'], 'today': Module['today'] };
