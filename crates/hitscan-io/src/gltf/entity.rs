//! Entities: the meshes that nodes show, in their forms and placements at rest, and the data that moves them.

use super::accessor::elements_of;
use super::deformer::{Need, Targets};
use super::document::{Document, Whole};
use super::instances;
use super::mesh::{Loaded, Meshes, with_data};
use super::moved::Moved;
use super::node::{Placed, Placement};
use super::skin;
use crate::error::{Item, Problem, Warning};
use crate::model::Entity;
use crate::options::Faults;
use crate::origin;
use crate::pose;
use crate::rig::{self, Binding, Body, Deformer, DeformerWeights, Place, Skin, Surface};
use hitscan::error::TransformError;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Mesh, Transform};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The entities of the nodes.
#[derive(Default)]
pub(super) struct Shown {
    /// One entity for each node that shows triangles and can be placed, or for each of its instances.
    pub(super) entities: Vec<Entity>,
    /// The source of the form and placement of each entity.
    pub(super) bindings: Vec<Binding>,
    /// The meshes that deform.
    pub(super) bodies: Vec<Body>,
    /// Nodes whose weights no animation can change, and why.
    pub(super) stiff: HashMap<usize, String>,
}

pub(super) fn load(
    meshes: &Meshes<'_>,
    placement: &Placement<'_>,
    moved: &Moved,
    faults: Faults,
    warnings: &mut Vec<Warning>,
) -> Result<Shown, Problem> {
    let mut reader = Reader { meshes, placement, known: HashMap::new(), skins: HashMap::new(), forms: HashMap::new() };
    let mut shown = Shown::default();
    let mut faulty = HashSet::new();
    for place in &placement.shown {
        let Some(index) = place.node.mesh.filter(|mesh| !place.is_hidden && !faulty.contains(mesh)) else { continue };
        match reader.show(place, index, moved, &mut shown, warnings) {
            Err(problem) if faults == Faults::LeaveOut => {
                faulty.insert(index);
                warnings.push(left_out(meshes.item(index), problem));
            }
            result => result?,
        }
    }
    Ok(shown)
}

/// Returns the warning that a mesh with a fault is left out.
fn left_out(mesh: Item, problem: Problem) -> Warning {
    let fault = match problem {
        Problem::Invalid { item, fault } if item == mesh => format!("it {fault}"),
        problem => {
            let text = problem.to_string();
            // The warning names the mesh itself.
            text.strip_prefix(&format!("in {mesh}, ")).map_or_else(|| text.clone(), str::to_owned)
        }
    };
    Warning::Faulty { mesh, fault }
}

impl Reader<'_, '_, '_> {
    /// Adds the entities of a node.
    fn show(
        &mut self,
        place: &Placed<'_>,
        index: Whole,
        moved: &Moved,
        shown: &mut Shown,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), Problem> {
        let meshes = self.meshes;
        let Some(loaded) = self.read(index, warnings)? else { return Ok(()) };
        let skin = skin_of(place, &loaded, warnings);
        // A node that cannot show its mesh does not need a form of it either.
        let spots = spots(place, skin, meshes, warnings)?;
        if spots.is_empty() {
            return Ok(());
        }
        let is_morphed = moved.weights.contains(&place.index) && loaded.targets() > 0;
        let wanted = Wanted { loaded: &loaded, place, skin };
        let Some((form, targets)) = self.form_for(&wanted, is_morphed, &mut shown.stiff, warnings)? else {
            return Ok(());
        };
        let is_body = form.skin.is_some() || targets == Targets::All;
        let body = is_body.then_some(shown.bodies.len());
        if is_body {
            meshes.accessors.spend(loaded.item(), loaded.targets())?;
            shown.bodies.push(self.body(&wanted, &form, targets));
        }
        let mut unplaceable = Vec::new();
        for Spot { name, mut binding, mut transform, flattened } in spots {
            if form.skin.is_some() {
                binding = rig::Place::joints(form.origin);
                transform = Some(binding.transform(&place.to_world));
            }
            let mut mesh = form.mesh.clone();
            if let Some((to_world, cause)) = flattened {
                let Some(flat) = self.flat(&loaded, &form, &to_world)?.filter(|_| !is_body) else {
                    unplaceable.push((name, cause));
                    continue;
                };
                (mesh, binding) = (flat, Place::Flat(to_world.translation));
                transform = Some(DAffine3::from_translation(to_world.translation));
            }
            shown.entities.push(Entity {
                name,
                node: Some(place.index as u32),
                geometry: transform.map_or_else(pose::nothing, |_| mesh.clone().into()),
                transform: transform.unwrap_or(DAffine3::IDENTITY),
                primitives: loaded.primitives.clone(),
            });
            shown.bindings.push(Binding { node: place.index, place: binding, body, mesh });
        }
        let (node, count) = (place.item(), unplaceable.len());
        if let Some((name, cause)) = unplaceable.into_iter().next() {
            let is_instanced = place.node.extensions.instancing.is_some();
            warnings.push(if is_instanced {
                Warning::UnplaceableInstances { node, count, name, cause }
            } else {
                Warning::Unplaceable { node, cause }
            });
        }
        Ok(())
    }

    /// Returns the mesh flattened by a transform without an inverse, relative to the transform's translation; `None` if no triangle keeps an
    /// area.
    fn flat(&self, loaded: &Loaded, form: &Form, to_world: &DAffine3) -> Result<Option<Mesh>, Problem> {
        let positions = form.mesh.positions();
        self.meshes.accessors.spend(loaded.item(), positions.len().saturating_add(form.mesh.triangle_count()))?;
        let place = |position: &Vec3| to_world.transform_vector3(position.as_dvec3()).as_vec3();
        let surface = Surface { positions: positions.iter().map(place).collect(), ..Surface::default() };
        if !surface.positions.iter().all(|position| position.is_finite()) {
            return Ok(None);
        }
        let mesh = self.meshes.mesh(loaded, &surface)?;
        Ok(Some(mesh).filter(|mesh| mesh.degenerate_count() < mesh.triangle_count()))
    }
}

/// Returns the skin whose joints place a node's mesh.
fn skin_of(place: &Placed<'_>, loaded: &Loaded, warnings: &mut Vec<Warning>) -> Option<Whole> {
    let skin = place.node.skin?;
    if !loaded.follows_joints() {
        warnings.push(Warning::NoJoints(place.item()));
        return None;
    }
    Some(skin)
}

/// A future entity.
struct Spot {
    name: String,
    binding: Place,
    /// The transform from the space of the geometry to the world; `None` if no ray could be transformed into that space.
    transform: Option<DAffine3>,
    /// The transform to the world and its error, if that transform has no inverse and no animation changes it. The mesh
    /// can then be flattened.
    flattened: Option<(DAffine3, TransformError)>,
}

impl Spot {
    /// Makes the future entity of a node with this transform to the world, if the transform can be used now or may be usable
    /// in an animation.
    fn new(name: String, binding: Place, to_world: DAffine3, moves: bool) -> Result<Self, TransformError> {
        let checked = validate(to_world);
        let is_flat = to_world.is_finite() && !moves;
        match checked {
            Err(cause) if !is_flat && !moves => Err(cause),
            checked => {
                let flattened = checked.err().filter(|_| is_flat).map(|cause| (to_world, cause));
                Ok(Self { name, binding, transform: checked.ok(), flattened })
            }
        }
    }
}

/// Returns the names and placements of the instances of a node, except instances that can never be hit.
fn spots(
    place: &Placed<'_>,
    skin: Option<Whole>,
    meshes: &Meshes<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Spot>, Problem> {
    let name = name(place, meshes.document());
    meshes.accessors.spend(&place.item(), elements_of(&name))?;
    let instancing = place.node.extensions.instancing.as_ref();
    if skin.is_some() {
        if instancing.is_some() {
            warnings.push(Warning::SkinnedInstances(place.item()));
        }
        let transform = Some(rig::mirror(&place.to_world));
        return Ok(vec![Spot { name, binding: Place::Joints, transform, flattened: None }]);
    }
    let instances = match instancing {
        Some(instancing) => instances::transforms(instancing, &place.item(), meshes.accessors, warnings)?,
        None => None,
    };
    let Some(instances) = instances else {
        let spot = Spot::new(name, Place::Node, place.to_world, place.moves);
        let cause = match &spot {
            Ok(spot) => validate(place.to_world).err().filter(|_| spot.flattened.is_none()),
            Err(cause) => Some(*cause),
        };
        warnings.extend(cause.map(|cause| Warning::Unplaceable { node: place.item(), cause }));
        return Ok(spot.into_iter().collect());
    };
    meshes.accessors.spend(&place.item(), instances.len().saturating_mul(elements_of(&name)))?;
    let (mut spots, mut left_out) = (Vec::new(), Vec::new());
    for (number, instance) in instances.into_iter().enumerate() {
        let name = format!("{name}#{number}");
        let to_world = place.to_world * instance;
        let moves = place.moves && instance.is_finite();
        match Spot::new(name.clone(), Place::Instance(instance), to_world, moves) {
            Ok(spot) => {
                let cause = validate(to_world).err().filter(|_| spot.flattened.is_none());
                left_out.extend(cause.map(|cause| (name, cause)));
                spots.push(spot);
            }
            Err(cause) => left_out.push((name, cause)),
        }
    }
    let count = left_out.len();
    if let Some((name, cause)) = left_out.into_iter().next() {
        warnings.push(Warning::UnplaceableInstances { node: place.item(), count, name, cause });
    }
    Ok(spots)
}

fn validate(to_world: DAffine3) -> Result<DAffine3, TransformError> {
    Transform::from(to_world).validate().map(|_| to_world)
}

/// Reads meshes, skins and forms, each once.
struct Reader<'a, 'm, 'p> {
    meshes: &'a Meshes<'m>,
    placement: &'a Placement<'p>,
    known: HashMap<usize, Option<Rc<Loaded>>>,
    skins: HashMap<usize, Arc<Skin>>,
    forms: HashMap<FormKey, Option<Form>>,
}

/// A mesh as a node shows it.
struct Wanted<'a> {
    loaded: &'a Loaded,
    place: &'a Placed<'a>,
    skin: Option<Whole>,
}

/// A mesh in its form at rest, and the data that moves it.
#[derive(Clone)]
struct Form {
    mesh: Mesh,
    deformer: Arc<Deformer>,
    skin: Option<Arc<Skin>>,
    /// The point of the world that the vertices are relative to, if joints move them.
    origin: DVec3,
}

/// The shape; the skin and whether the node mirrors it; the morph targets with the bits of their weights; and which
/// targets are read.
type FormKey = (usize, Option<(usize, bool)>, Vec<(usize, u64)>, Targets);

impl Wanted<'_> {
    fn weights(&self) -> &[f64] {
        self.place.node.weights.as_deref().unwrap_or(&self.loaded.weights)
    }
}

impl Reader<'_, '_, '_> {
    fn read(&mut self, index: Whole, warnings: &mut Vec<Warning>) -> Result<Option<Rc<Loaded>>, Problem> {
        Ok(match self.known.entry(index.0) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => new.insert(self.meshes.load(index, warnings)?.map(Rc::new)).clone(),
        })
    }

    /// Returns the form with all morph targets, if an animation moves them; if they cannot be read, the form at rest.
    fn form_for(
        &mut self,
        wanted: &Wanted<'_>,
        is_morphed: bool,
        stiff: &mut HashMap<usize, String>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<(Form, Targets)>, Problem> {
        if is_morphed {
            match self.form(wanted, Targets::All, &mut Vec::new()) {
                Ok(Some(form)) => return Ok(Some((form, Targets::All))),
                Ok(None) => stiff.insert(wanted.place.index, format!("{} has no data", wanted.loaded.item())),
                Err(problem) => stiff.insert(wanted.place.index, problem.to_string()),
            };
        }
        Ok(self.form(wanted, Targets::Weighted, warnings)?.map(|form| (form, Targets::Weighted)))
    }

    fn form(
        &mut self,
        wanted: &Wanted<'_>,
        targets: Targets,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Form>, Problem> {
        let weights = wanted.weights();
        let weighted = weights.iter().enumerate().filter(|&(_, &weight)| weight != 0.0);
        let bits: Vec<(usize, u64)> = weighted.map(|(target, weight)| (target, weight.to_bits())).collect();
        self.meshes.accessors.spend(wanted.loaded.item(), bits.len())?;
        let to_world = &wanted.place.to_world;
        let skin = wanted.skin.map(|skin| (skin.0, to_world.matrix3.determinant() < 0.0));
        let key = (wanted.loaded.shape(), skin, bits, targets);
        if let Some(known) = self.forms.get(&key) {
            return Ok(known.clone());
        }
        let form = with_data(self.new_form(wanted, targets), wanted.loaded.item(), warnings)?;
        let uneven = form.as_ref().and_then(|form| form.deformer.uneven_weights());
        warnings.extend(uneven.map(|(count, vertex)| Warning::Weights {
            mesh: wanted.loaded.item().clone(),
            count,
            vertex,
        }));
        self.forms.insert(key, form.clone());
        Ok(form)
    }

    fn new_form(&mut self, wanted: &Wanted<'_>, targets: Targets) -> Result<Form, Problem> {
        let skin = wanted.skin.map(|skin| self.skin(skin)).transpose()?;
        let weights = wanted.weights();
        let need = Need { targets, weights, joints: skin.as_ref().map(|skin| skin.joints.len()) };
        let deformer = self.meshes.deformer(wanted.loaded, &need)?;
        let seen = rig::mirror(&wanted.place.to_world);
        let mut surface = Surface::default();
        let mut deformed = |origin: DVec3| {
            let joints = skin.as_ref().map(|skin| -> Vec<DAffine3> {
                skin.matrices(&self.placement.to_world, origin).map(|matrix| seen * matrix).collect()
            });
            deformer.deform(&DeformerWeights { targets: weights, joints: joints.as_deref() }, &mut surface);
            joints.map_or(DVec3::ZERO, |_| seen.transform_vector3(origin::of_moved(&surface.positions)))
        };
        let origin = deformed(DVec3::ZERO);
        if origin != DVec3::ZERO {
            deformed(origin);
        }
        let mesh = self.meshes.mesh(wanted.loaded, &surface)?;
        Ok(Form { mesh, deformer: Arc::new(deformer), skin, origin })
    }

    fn skin(&mut self, index: Whole) -> Result<Arc<Skin>, Problem> {
        if let Some(known) = self.skins.get(&index.0) {
            return Ok(known.clone());
        }
        let skin = Arc::new(skin::read(self.meshes.document(), self.meshes.accessors, index)?);
        self.skins.insert(index.0, skin.clone());
        Ok(skin)
    }

    /// Returns the body of a form. It has as many weights as morph targets.
    fn body(&self, wanted: &Wanted<'_>, form: &Form, targets: Targets) -> Body {
        let mut weights = wanted.weights().to_vec();
        weights.resize(wanted.loaded.targets(), 0.0);
        let nodes = &self.placement.tree.nodes;
        let joint_moves = form.skin.as_ref().is_some_and(|skin| skin.joints.iter().any(|&joint| nodes[joint].moves));
        Body {
            node: wanted.place.index,
            deformer: form.deformer.clone(),
            skin: form.skin.clone(),
            weights,
            origin: form.origin,
            moves: targets == Targets::All || joint_moves || (form.skin.is_some() && wanted.place.moves),
        }
    }
}

fn name(place: &Placed<'_>, document: &Document) -> String {
    let mesh = place.node.mesh.and_then(|mesh| document.meshes.get(mesh.0)).and_then(|mesh| mesh.name.as_ref());
    let given = [place.node.name.as_ref(), mesh].into_iter().flatten().find(|name| !name.is_empty());
    given.cloned().unwrap_or_else(|| format!("node{}", place.index))
}
