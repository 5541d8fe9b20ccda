-- Times are microseconds since 1970 UTC. JSON is text, parsed in Rust.

create table source (
    id integer primary key,
    slug text not null,
    provider text not null check (provider in ('paymos', 'paddle', 'stripe', 'standard_webhooks', 'hmac')),
    mode text not null check (mode in ('live', 'test')),
    tolerance_s bigint check (tolerance_s is null or tolerance_s >= 0),
    settings text,
    api_base_url text,
    api_key text,
    api_secret_sealed blob,
    api_secret_key_id text,
    created_at bigint not null,
    deleted_at bigint,
    check ((api_base_url is null) = (api_key is null)),
    check ((api_key is null) = (api_secret_sealed is null)),
    check ((api_secret_sealed is null) = (api_secret_key_id is null))
);
create unique index source_slug on source (slug) where deleted_at is null;

create table destination (
    id integer primary key,
    slug text not null,
    url text not null,
    format text not null check (format in ('paymos', 'stripe', 'paddle', 'standard_webhooks')),
    sources text not null,
    events text not null,
    ladder text not null,
    timeout_ms bigint not null check (timeout_ms > 0),
    max_in_flight bigint not null check (max_in_flight > 0),
    rate_per_s double precision check (rate_per_s is null or rate_per_s > 0),
    jitter_percent bigint not null default 0 check (jitter_percent between 0 and 100),
    signature_order text not null default 'newest_first' check (signature_order in ('newest_first', 'oldest_first')),
    paused_at bigint,
    created_at bigint not null,
    deleted_at bigint
);
create unique index destination_slug on destination (slug) where deleted_at is null;

-- Active at t: created_at <= t and (expires_at is null or expires_at > t). Nothing runs for one to end. n is the order
-- in which a holder got them; replaces is the one that was in use before, for undoing.
create table secret (
    id text primary key not null,
    source_id bigint references source (id),
    destination_id bigint references destination (id),
    sealed blob not null,
    key_id text not null,
    fingerprint text not null,
    created_by text not null,
    created_at bigint not null,
    expires_at bigint,
    last_used_at bigint,
    matches bigint not null default 0,
    n bigint not null,
    replaces text,
    check ((source_id is null) <> (destination_id is null))
);
create unique index secret_source on secret (source_id, n) where source_id is not null;
create unique index secret_destination on secret (destination_id, n) where destination_id is not null;

-- How often a secret was of use in each ten minutes (a slot: those since 1970), added up by the workers.
create table secret_use (
    secret_id text not null,
    slot bigint not null,
    times bigint not null,
    primary key (secret_id, slot)
);
create index secret_use_slot on secret_use (slot);

-- The same by the second, kept for the last hour only: it says what retiring a secret would break.
create table secret_use_second (
    secret_id text not null,
    second bigint not null,
    times bigint not null,
    primary key (secret_id, second)
);
create index secret_use_second_second on secret_use_second (second);

-- What the receiver writes has no foreign keys: each would be looked up for every arrival. Sources are never deleted,
-- and bodies go with their events (store::prune).
create table event (
    id integer primary key,
    source_id bigint not null,
    event_id text not null,
    type text not null,
    resource_id text,
    resource_kind text,
    status text,
    is_test boolean,
    version text,
    occurred_at bigint,
    received_at bigint not null,
    content_type text,
    content_encoding text,
    headers text not null,
    body_sha256 blob not null,
    body_size bigint not null,
    secret_id text,
    arrivals bigint not null default 1 check (arrivals >= 1),
    held boolean not null default false,
    released_by text,
    released_at bigint,
    processed_at bigint,
    -- It was processed, and no destination took it.
    unrouted boolean not null default false,
    check (not held or processed_at is null),
    check ((released_by is null) = (released_at is null))
);
create unique index event_identity on event (source_id, event_id);
create index event_received on event (received_at, id);
create index event_type on event (type, received_at, id);
create index event_resource on event (resource_id, received_at, id) where resource_id is not null;
create index event_unrouted on event (received_at, id) where unrouted;
create index event_unprocessed on event (id) where processed_at is null and not held;
create index event_held on event (received_at, id) where held;
create index event_held_source on event (source_id) where held;

create table event_body (
    event_id integer primary key,
    body blob not null
);

-- The arrivals after the first. The body is kept only when its bytes differ from the stored ones.
create table arrival (
    id integer primary key,
    event_id bigint not null references event (id) on delete cascade,
    received_at bigint not null,
    same_bytes boolean not null,
    body blob,
    check (same_bytes = (body is null))
);
create index arrival_event on arrival (event_id, id);

-- What was refused, the newest of each source. The body stands last: a list does not read so far.
create table rejection (
    id integer primary key,
    source_id bigint not null references source (id),
    received_at bigint not null,
    reason text not null check (reason in ('missing_header', 'malformed_header', 'timestamp_too_old',
        'timestamp_too_new', 'signature_mismatch', 'bad_secret')),
    signed_at bigint,
    remote_address text,
    size bigint not null,
    body_size bigint not null,
    status text not null default 'rejected' check (status in ('rejected', 'stored', 'duplicate')),
    event_id bigint references event (id) on delete set null,
    verified_by text,
    verified_at bigint,
    target text not null,
    headers text not null,
    body blob not null,
    check ((status = 'rejected') = (verified_at is null)),
    check ((verified_by is null) = (verified_at is null))
);
create index rejection_source on rejection (source_id, id, size);
create index rejection_received on rejection (received_at, id);
create index rejection_event on rejection (event_id) where event_id is not null;

-- How many a minute, also of those that were not kept.
create table rejection_count (
    minute bigint not null,
    source_id bigint not null references source (id),
    rejected bigint not null,
    primary key (minute, source_id)
);

create table delivery (
    id integer primary key,
    event_id bigint not null references event (id) on delete cascade,
    destination_id bigint not null references destination (id),
    source_id bigint not null references source (id),
    type text not null,
    resource_id text,
    received_at bigint not null,
    state text not null check (state in ('pending', 'delivered', 'failed', 'held', 'cancelled')),
    attempts bigint not null default 0,
    max_attempts bigint not null check (max_attempts >= 1),
    first_attempt_at bigint,
    next_attempt_at bigint,
    lease_until bigint,
    lease_token text,
    -- Somebody's lease ran out before anything was written down: what they sent may be sent again.
    may_repeat boolean not null default false,
    last_status bigint,
    last_error text,
    delivered_at bigint,
    check ((state = 'pending') = (next_attempt_at is not null)),
    check ((state = 'delivered') = (delivered_at is not null)),
    check ((lease_until is null) = (lease_token is null)),
    check (attempts between 0 and max_attempts)
);
create unique index delivery_identity on delivery (event_id, destination_id);
-- What is due: those that were never attempted apart, so that retries do not starve them. Only what is pending has a time.
create index delivery_due_first on delivery (destination_id, next_attempt_at, id)
    where next_attempt_at is not null and attempts = 0;
create index delivery_due_again on delivery (destination_id, next_attempt_at, id)
    where next_attempt_at is not null and attempts > 0;
create index delivery_received on delivery (received_at, id);
create index delivery_state on delivery (state, received_at, id);
create index delivery_destination on delivery (destination_id, state, received_at, id);
create index delivery_source on delivery (source_id, received_at, id);
create index delivery_type on delivery (type, received_at, id);
create index delivery_resource on delivery (resource_id, received_at, id) where resource_id is not null;

-- A scheduled attempt is written when it has ended. A manual one is written when it is asked for (started_at
-- null: waiting) and filled in when it has ended.
create table attempt (
    id integer primary key,
    delivery_id bigint not null references delivery (id) on delete cascade,
    n bigint,
    trigger_kind text not null check (trigger_kind in ('scheduled', 'manual')),
    actor text,
    reason text,
    queued_at bigint not null,
    lease_until bigint,
    lease_token text,
    may_repeat boolean not null default false,
    started_at bigint,
    duration_ms bigint,
    latency text,
    url text,
    status bigint,
    error text,
    detail text,
    request_headers text,
    response_headers text,
    response_body blob,
    response_truncated boolean not null default false,
    check ((trigger_kind = 'scheduled') = (n is not null)),
    check ((trigger_kind = 'manual') = (actor is not null))
);
create unique index attempt_rung on attempt (delivery_id, n) where n is not null;
create index attempt_delivery on attempt (delivery_id, id);
create index attempt_waiting on attempt (id) where trigger_kind = 'manual' and started_at is null;

-- How a destination answers: since when every attempt has failed; null after one that did not.
create table destination_health (
    destination_id bigint primary key not null references destination (id),
    failing_since bigint
);

-- A resend of many: the deliveries that matched when it started wait in `resend_item`; each leaves it in the
-- transaction that makes its attempt, so that there is exactly one of each.
create table resend (
    id integer primary key,
    actor text not null,
    reason text not null,
    filter text not null,
    rate_per_s double precision check (rate_per_s is null or rate_per_s > 0),
    state text not null check (state in ('running', 'done', 'cancelled')),
    collected boolean not null default false,
    created_at bigint not null,
    finished_at bigint,
    lease_until bigint,
    lease_token text,
    matching bigint not null default 0,
    succeeded bigint not null default 0,
    failed bigint not null default 0,
    check ((state = 'running') = (finished_at is null)),
    check ((lease_until is null) = (lease_token is null))
);
create index resend_created on resend (created_at, id);
create index resend_unfinished on resend (id) where state = 'running';

-- How many of them go where, and how many of these wait.
create table resend_lane (
    resend_id bigint not null references resend (id),
    destination_id bigint not null references destination (id),
    matching bigint not null,
    waiting bigint not null check (waiting >= 0),
    primary key (resend_id, destination_id)
) without rowid;
create index resend_lane_waiting on resend_lane (resend_id, destination_id) where waiting > 0;

create table resend_item (
    resend_id bigint not null,
    destination_id bigint not null,
    delivery_id bigint not null,
    primary key (resend_id, destination_id, delivery_id)
) without rowid;

-- The attempts of resends that are asked for and not counted yet: few at a time.
create table resend_attempt (
    attempt_id bigint primary key,
    resend_id bigint not null references resend (id),
    destination_id bigint not null
);

create table reconciliation (
    id integer primary key,
    source_id bigint not null references source (id),
    trigger_kind text not null check (trigger_kind in ('manual', 'nightly')),
    night text,
    actor text not null,
    window_from bigint not null,
    window_to bigint not null,
    -- Whether what is missing is taken in, and how many events were.
    backfill boolean not null default false,
    backfilled bigint not null default 0,
    state text not null check (state in ('running', 'done', 'failed')),
    started_at bigint not null,
    heartbeat_at bigint not null,
    finished_at bigint,
    fetched bigint not null default 0,
    compared bigint not null default 0,
    seen_missing bigint not null default 0,
    seen_status bigint not null default 0,
    seen_undelivered bigint not null default 0,
    error text,
    check (window_from < window_to),
    check ((state = 'running') = (finished_at is null))
);
-- However many processes there are: one run a night, and one run of a source at a time.
create unique index reconciliation_night on reconciliation (source_id, night) where night is not null;
create unique index reconciliation_running on reconciliation (source_id) where state = 'running';
create index reconciliation_started on reconciliation (started_at, id);

create table difference (
    id integer primary key,
    source_id bigint not null references source (id),
    reconciliation_id bigint not null references reconciliation (id),
    resource_id text not null,
    kind text not null check (kind in ('missing', 'status', 'undelivered')),
    ours text,
    theirs text,
    amount text,
    currency text,
    order_ref text,
    event_id bigint,
    delivery_id bigint,
    first_seen bigint not null,
    last_seen bigint not null,
    state text not null check (state in ('open', 'acknowledged', 'resolved')),
    note text,
    acknowledged_by text,
    acknowledged_at bigint
);
create unique index difference_identity on difference (source_id, resource_id, kind);
create index difference_seen on difference (first_seen, id);

create table alert (
    id integer primary key,
    kind text not null,
    subject text not null,
    facts text not null,
    opened_at bigint not null,
    state text not null check (state in ('open', 'acknowledged', 'resolved')),
    acknowledged_by text,
    acknowledged_at bigint,
    resolved_at bigint,
    check ((state = 'resolved') = (resolved_at is not null))
);
-- What goes on is told once, until it is over.
create unique index alert_going_on on alert (kind, subject) where state <> 'resolved';
create index alert_opened on alert (opened_at, id);

create table "user" (
    id integer primary key,
    email text not null,
    password_hash text not null,
    role text not null check (role in ('viewer', 'support', 'admin')),
    created_at bigint not null,
    last_login_at bigint
);
create unique index user_email on "user" (email);

-- The id is stored hashed: a copy of the database opens no session.
create table session (
    id_hash text primary key not null,
    data text not null,
    expires_at bigint not null
);
create index session_expiry on session (expires_at);

create table token (
    id integer primary key,
    name text not null,
    role text not null check (role in ('viewer', 'support', 'admin')),
    hash text not null,
    created_at bigint not null,
    last_used_at bigint
);
create unique index token_hash on token (hash);

create table login_failure (
    id integer primary key,
    subject text not null,
    failed_at bigint not null
);
create index login_failure_subject on login_failure (subject, failed_at);

-- Who did what: a chain without gaps, each row hashed with the one before it. The head is its end.
create table audit (
    id bigint primary key not null,
    at bigint not null,
    actor text not null,
    address text,
    action text not null,
    subject text not null,
    reason text,
    detail text,
    hash blob not null
);
create index audit_subject on audit (subject, id);
create table audit_head (
    one bigint primary key not null check (one = 1),
    last bigint not null,
    hash blob not null
);
insert into audit_head (one, last, hash) values (1, 0, zeroblob(32));
